import { valibotResolver } from "@hookform/resolvers/valibot";
import { useMutation, useQuery } from "@tanstack/react-query";
import { ChevronDown, CircleCheck, Send, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { Button } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { IconButton } from "../../components/ui/icon-button";
import { Textarea } from "../../components/ui/input";
import { api } from "../../lib/api";
import { messageKey, requiredText, showServerIssues, useFieldError } from "../../lib/form";
import { clearDraft, loadDraft, saveDraft } from "../../lib/session-draft";
import { userQuery } from "../auth/auth.queries";

const TOPICS = ["send", "link", "change", "safe"] as const;

/** The help chat, a non-modal panel. Escape closes it and returns the focus. */
export default function SupportPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["support", "common"]);
  const { data: user } = useQuery(userQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <section
      aria-label={t("label")}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
      className="rise fixed right-4 bottom-4 z-20 flex max-h-[min(40rem,calc(100dvh-6rem))] w-90 max-w-[calc(100vw-2rem)] flex-col rounded-card border border-line bg-surface shadow-float short:block short:overflow-y-auto"
    >
      <div className="flex items-center justify-between gap-3 border-line border-b py-2.5 pr-3 pl-4">
        <h2 ref={heading} tabIndex={-1} className="text-lg">
          {t("title")}
        </h2>
        <IconButton icon={X} label={t("common:close")} side="bottom" onClick={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-4">
        <p className="text-ink-soft">{t("intro")}</p>
        <div className="mt-3 divide-y divide-line border-line border-y">
          {TOPICS.map((name) => (
            <details key={name} className="group" name="help">
              <summary className="flex cursor-pointer list-none items-start justify-between gap-3 rounded-md py-2.5 font-medium [&::-webkit-details-marker]:hidden">
                {t(`answers.${name}.question`)}
                <ChevronDown
                  aria-hidden
                  className="mt-0.5 size-4 shrink-0 text-ink-soft transition-transform duration-150 group-open:rotate-180"
                />
              </summary>
              <p className="pb-3 text-ink-soft">{t(`answers.${name}.answer`)}</p>
            </details>
          ))}
        </div>
      </div>
      {user && <MessageForm email={user.email} />}
    </section>
  );
}

const schema = v.object({ message: requiredText(messageKey("messageRequired"), LIMITS.text) });

const isField = (path: string): path is "message" => path === "message";

/** The message form. The input survives closing the panel. `email` is where the reply goes. */
function MessageForm({ email }: { email: string }) {
  const { t } = useTranslation(["support", "validation"]);
  const fieldError = useFieldError();
  const send = useMutation({
    mutationFn: (message: string) => api.support.messages.$post({ json: { message } }),
    meta: { failure: { title: "support:failed" } },
  });
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
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
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
