import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { type UseFormRegisterReturn, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { WEBHOOK_EVENTS } from "../../../../worker/contract/envelope-events";
import { LIMITS } from "../../../../worker/contract/limits";
import { fieldsOf } from "../../../components/form-fields";
import { FieldError } from "../../../components/ui/field";
import { FormDialog } from "../../../components/ui/form-dialog";
import {
  hasField,
  messageKey,
  optionalText,
  requiredText,
  showServerIssues,
  useFieldError,
} from "../../../lib/form";
import { workspacesQuery } from "../../workspaces/workspaces.queries";
import { WorkspaceField } from "../workspace-field";
import { EVENT_NAMES, useSaveWebhook, type Webhook } from "./webhooks.queries";

const schema = v.object({
  url: v.pipe(
    requiredText(messageKey("webhookUrlRequired"), LIMITS.webhookUrl),
    v.url(messageKey("invalidWebhookUrl")),
  ),
  description: optionalText(LIMITS.name),
  events: v.pipe(v.array(v.picklist(WEBHOOK_EVENTS)), v.minLength(1, messageKey("webhookEventsRequired"))),
  workspaceId: v.nullable(v.number()),
});

type Values = v.InferInput<typeof schema>;

const { TextField } = fieldsOf<Values>();

type WebhookFormProps = {
  /** The webhook that is changed; absent for a new one. */
  webhook?: Webhook | undefined;
  onClose: () => void;
  /** Gets the secret of a new webhook. */
  onCreated: (secret: string) => void;
};

export function WebhookForm({ webhook, onClose, onCreated }: WebhookFormProps) {
  const { t } = useTranslation(["integrations", "common", "validation"]);
  const fieldError = useFieldError();
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const save = useSaveWebhook(webhook?.id);
  const form = useForm<Values>({
    resolver: valibotResolver(schema),
    defaultValues: {
      url: webhook?.url ?? "",
      description: webhook?.description ?? "",
      events: webhook?.events ?? [...WEBHOOK_EVENTS],
      workspaceId: webhook?.workspaceId ?? null,
    },
  });
  const submit = form.handleSubmit((values) =>
    save.mutate(values, {
      onSuccess: ({ secret }) => (secret ? onCreated(secret) : onClose()),
      onError: (error) => showServerIssues(error, form.setError, hasField(schema)),
    }),
  );
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={webhook ? t("webhooks.edit") : t("webhooks.create")}
      description={t("webhooks.createText")}
      submitLabel={webhook ? t("common:saveChanges") : t("webhooks.create")}
      pending={save.isPending}
      onSubmit={submit}
    >
      <TextField
        name="url"
        label={t("webhooks.url")}
        hint={t("webhooks.urlHint")}
        required
        autoFocus
        type="url"
        inputMode="url"
        maxLength={LIMITS.webhookUrl}
      />
      <TextField name="description" label={t("webhooks.description")} />
      {!webhook && <WorkspaceField workspaces={workspaces.filter(({ role }) => role === "owner")} />}
      <EventFields events={form.register("events")} error={fieldError(form.formState.errors.events)} />
    </FormDialog>
  );
}

function EventFields({ events, error }: { events: UseFormRegisterReturn; error: string | undefined }) {
  const { t } = useTranslation("integrations");
  const errorId = useId();
  return (
    <fieldset aria-describedby={error && errorId}>
      <legend className="mb-1 font-medium text-sm">{t("webhooks.events")}</legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {WEBHOOK_EVENTS.map((event) => (
          <label
            key={event}
            className="flex min-h-8 touch:min-h-10 cursor-pointer items-center gap-2.5 text-sm"
          >
            <input type="checkbox" value={event} className="size-4 shrink-0" {...events} />
            {t(EVENT_NAMES[event])}
          </label>
        ))}
      </div>
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </fieldset>
  );
}
