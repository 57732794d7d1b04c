import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopePreview } from "../../../worker/contract/envelopes";

/** The mail and the text message to a recipient, as the server writes them. */
export function MessagePreviews({ email, sms }: EnvelopePreview) {
  const { t } = useTranslation("envelopes");
  return (
    <div className="space-y-3">
      {email && <MailPreview mail={email} />}
      {sms && <Letter title={t("wizard.notifications.sms")} text={sms.text} />}
    </div>
  );
}

function MailPreview({ mail }: { mail: NonNullable<EnvelopePreview["email"]> }) {
  const { t } = useTranslation("envelopes");
  return (
    <Letter title={t("wizard.notifications.email")} text={mail.text}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 border-line border-b pb-3 text-xs">
        <Line label={t("wizard.look.from")}>{mail.from}</Line>
        <Line label={t("wizard.look.to")}>{mail.to}</Line>
        <Line label={t("wizard.subject")}>{mail.subject}</Line>
      </dl>
    </Letter>
  );
}

/** A message as a sheet of paper. */
function Letter({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-control bg-surface p-4 shadow-float">
      {children}
      <p className="mt-3 whitespace-pre-line break-words first:mt-0">{text.trim()}</p>
    </section>
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
