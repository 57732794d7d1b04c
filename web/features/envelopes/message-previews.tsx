import { useQuery } from "@tanstack/react-query";
import { type ReactNode, use, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopePreview, MessagesPreview } from "../../../worker/contract/envelopes";
import { MailFrame } from "../../components/mail-frame";
import { PreviewLook } from "../../components/preview-look";
import { RecipientPage } from "../../components/recipient-page";
import { Segmented } from "../../components/ui/segmented";
import { userQuery } from "../auth/auth.queries";

const VIEWS = ["messages", "page"] as const;

/** What the recipient gets, and the page to which it leads. */
export function RecipientPreviews({ page, ...messages }: EnvelopePreview) {
  const { t } = useTranslation("envelopes");
  const [view, setView] = useState<(typeof VIEWS)[number]>("messages");
  const { data: user } = useQuery(userQuery);
  const Page = use(RecipientPage);
  return (
    <>
      <Segmented
        legend={t("wizard.look.title")}
        value={view}
        onChange={setView}
        choices={VIEWS.map((value) => ({ value, label: t(`wizard.look.${value}`) }))}
        className="mb-3 max-[359px]:flex-wrap"
      />
      {view === "messages" && <MessagePreviews {...messages} />}
      {view === "page" && Page && (
        <section aria-label={t("wizard.look.page")}>
          <PreviewLook>
            {(look) => (
              <Page
                request={page}
                language={user?.languagePreference ?? "en"}
                look={look}
                title={t("wizard.look.page")}
                failed={t("wizard.look.failed")}
              />
            )}
          </PreviewLook>
        </section>
      )}
    </>
  );
}

/** The mail and the text message to a recipient, as the server writes them. */
export function MessagePreviews({ email, sms }: MessagesPreview) {
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
