import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopePreview } from "../../../worker/contract/envelopes";
import { MailFrame } from "../../components/mail-frame";
import { PreviewLook } from "../../components/preview-look";

/** The mail and the text message to a recipient, as the server writes them. */
export function MessagePreviews({ email, sms }: EnvelopePreview) {
  const { t } = useTranslation("envelopes");
  return (
    <div className="space-y-3">
      {email && (
        <section aria-label={t("wizard.notifications.email")}>
          <dl className="mb-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs">
            <Line label={t("wizard.look.from")}>{email.from}</Line>
            <Line label={t("wizard.look.to")}>{email.to}</Line>
            <Line label={t("wizard.subject")}>{email.subject}</Line>
          </dl>
          <PreviewLook>
            {(look) => <MailFrame html={email.html} title={t("wizard.notifications.email")} look={look} />}
          </PreviewLook>
        </section>
      )}
      {sms && (
        <section
          aria-label={t("wizard.notifications.sms")}
          className="rounded-control bg-surface p-4 shadow-float"
        >
          <p className="whitespace-pre-line break-words">{sms.text.trim()}</p>
        </section>
      )}
    </div>
  );
}

/** A term and its value, in a list of two columns. */
export function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
