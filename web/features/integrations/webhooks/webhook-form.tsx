import { valibotResolver } from "@hookform/resolvers/valibot";
import { useId } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../../worker/contract/limits";
import { WEBHOOK_EVENTS } from "../../../../worker/contract/options";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { Field, FieldError } from "../../../components/ui/field";
import { Input } from "../../../components/ui/input";
import { messageKey, optionalText, requiredText, showServerIssues } from "../../../lib/form";
import { useFieldError } from "../../../lib/use-field-error";
import { EVENT_NAMES } from "./event-names";
import { useCreateWebhook } from "./webhooks.queries";

const schema = v.object({
  url: v.pipe(
    requiredText(messageKey("webhookUrlRequired"), LIMITS.webhookUrl),
    v.url(messageKey("invalidWebhookUrl")),
  ),
  description: optionalText(LIMITS.name),
  events: v.pipe(v.array(v.picklist(WEBHOOK_EVENTS)), v.minLength(1, messageKey("webhookEventsRequired"))),
});

type Values = v.InferInput<typeof schema>;

const isField = (path: string): path is keyof Values => ["url", "description", "events"].includes(path);

type WebhookFormProps = { onClose: () => void; onCreated: (secret: string) => void };

export function WebhookForm({ onClose, onCreated }: WebhookFormProps) {
  const { t } = useTranslation(["integrations", "common", "validation"]);
  const formId = useId();
  const fieldError = useFieldError();
  const create = useCreateWebhook();
  const form = useForm<Values>({
    resolver: valibotResolver(schema),
    defaultValues: { url: "", description: "", events: [...WEBHOOK_EVENTS] },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit((values) =>
    create.mutate(values, {
      onSuccess: ({ secret }) => onCreated(secret),
      onError: (error) => showServerIssues(error, form.setError, isField),
    }),
  );
  return (
    <Dialog
      open
      onClose={onClose}
      focus="field"
      title={t("webhooks.create")}
      description={t("webhooks.createText")}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button type="submit" form={formId} variant="primary" loading={create.isPending}>
            {t("webhooks.create")}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t("webhooks.url")} hint={t("webhooks.urlHint")} required error={fieldError(errors.url)}>
          <Input
            autoFocus
            type="url"
            inputMode="url"
            maxLength={LIMITS.webhookUrl}
            {...form.register("url")}
          />
        </Field>
        <Field label={t("webhooks.description")} error={fieldError(errors.description)}>
          <Input maxLength={LIMITS.name} {...form.register("description")} />
        </Field>
        <fieldset aria-describedby={errors.events && `${formId}-events`}>
          <legend className="mb-1 font-medium text-sm">{t("webhooks.events")}</legend>
          <div className="grid gap-x-4 sm:grid-cols-2">
            {WEBHOOK_EVENTS.map((event) => (
              <label key={event} className="flex min-h-8 cursor-pointer items-center gap-2.5 text-sm">
                <input
                  type="checkbox"
                  value={event}
                  className="size-4 shrink-0 accent-accent"
                  {...form.register("events")}
                />
                {t(EVENT_NAMES[event])}
              </label>
            ))}
          </div>
          {errors.events && <FieldError id={`${formId}-events`}>{fieldError(errors.events)}</FieldError>}
        </fieldset>
      </form>
    </Dialog>
  );
}
