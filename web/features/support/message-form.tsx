import { valibotResolver } from "@hookform/resolvers/valibot";
import { CircleCheck, Send } from "lucide-react";
import { useEffect, useRef } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { Button } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { Textarea } from "../../components/ui/input";
import { messageKey, requiredText, showServerIssues } from "../../lib/form";
import { clearDraft, loadDraft, saveDraft } from "../../lib/session-draft";
import { useFieldError } from "../../lib/use-field-error";
import { useSendSupportMessage } from "./support.queries";

const schema = v.object({ message: requiredText(messageKey("messageRequired"), LIMITS.text) });

const isField = (path: string): path is "message" => path === "message";

/** The message form. The input survives closing the panel. `email` is where the reply goes. */
export function MessageForm({ email }: { email: string }) {
  const { t } = useTranslation(["support", "validation"]);
  const fieldError = useFieldError();
  const send = useSendSupportMessage();
  const draftKey = `support ${email}`;
  const form = useForm({
    resolver: valibotResolver(schema),
    defaultValues: { message: loadDraft(draftKey, "") },
  });
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => saveDraft(draftKey, values.message),
      }),
    [form, draftKey],
  );
  const submit = form.handleSubmit(({ message }) =>
    send.mutate(message, {
      onSuccess: () => {
        form.reset({ message: "" });
        clearDraft(draftKey);
      },
      onError: (error) => showServerIssues(error, form.setError, isField),
    }),
  );
  const again = () => {
    send.reset();
    setTimeout(() => form.setFocus("message"));
  };
  return (
    <div className="border-line border-t p-4">
      <div role="status">{send.isSuccess && <Sent email={email} onAgain={again} />}</div>
      {!send.isSuccess && (
        <form noValidate onSubmit={submit} className="flex flex-col gap-3">
          <Field label={t("message")} error={fieldError(form.formState.errors.message)}>
            <Textarea
              rows={3}
              maxLength={LIMITS.text}
              placeholder={t("placeholder")}
              className="max-h-40"
              {...form.register("message")}
            />
          </Field>
          <Button type="submit" variant="primary" loading={send.isPending} className="self-end">
            {!send.isPending && <Send aria-hidden />}
            {t("send")}
          </Button>
        </form>
      )}
    </div>
  );
}

function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  const { t } = useTranslation("support");
  const title = useRef<HTMLParagraphElement>(null);
  // The focused button was removed.
  useEffect(() => title.current?.focus(), []);
  return (
    <>
      <div className="flex gap-3">
        <CircleCheck aria-hidden className="mt-0.5 size-4.5 shrink-0 text-good" />
        <div className="min-w-0">
          <p ref={title} tabIndex={-1} className="font-semibold">
            {t("sentTitle")}
          </p>
          <p className="mt-0.5 break-words text-ink-soft">{t("sentText", { email })}</p>
        </div>
      </div>
      <Button size="sm" className="mt-3" onClick={onAgain}>
        {t("another")}
      </Button>
    </>
  );
}
