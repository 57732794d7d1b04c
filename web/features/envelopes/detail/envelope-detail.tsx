import { Phone } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../components/ui/card";
import { useFormat } from "../../../lib/use-format";
import type { Envelope } from "../envelopes.queries";
import { LinkCard } from "./link-card";
import { RequestedDocuments } from "./requested-documents";
import { SubmittedDocuments } from "./submitted-documents";

type EnvelopeDetailProps = { envelope: Envelope; onView: (fileId: number) => void };

/** Facts first, then documents; the timeline stands at the right where there is room. */
export function EnvelopeDetail({ envelope, onView }: EnvelopeDetailProps) {
  const { t } = useTranslation("envelopes");
  const completed = envelope.status === "completed";
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_260px]">
      <div className="flex min-w-0 flex-col gap-4">
        <RecipientCard envelope={envelope} />
        {!completed && <LinkCard token={envelope.submissionToken} status={envelope.status} />}
        {(envelope.subject || envelope.message) && (
          <Card title={t("detail.message")}>
            {envelope.subject && <p className="break-words font-medium">{envelope.subject}</p>}
            {envelope.message && (
              <p className="mt-1 whitespace-pre-wrap break-words text-ink-soft">{envelope.message}</p>
            )}
          </Card>
        )}
        {completed && <SubmittedDocuments submissions={envelope.submissions} onView={onView} />}
        <RequestedDocuments documents={envelope.documents} />
      </div>
      <Timeline envelope={envelope} />
    </div>
  );
}

function RecipientCard({ envelope }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  const { contact, customerEmail, recipientPhone } = envelope;
  const name = contact && [contact.firstName, contact.lastName].filter(Boolean).join(" ");
  return (
    <Card title={t("detail.recipient")}>
      {name && <p className="break-words font-medium">{name}</p>}
      <p className="break-words text-ink-soft">
        {customerEmail || !recipientPhone ? customerEmail || t("noRecipient") : null}
      </p>
      {recipientPhone && (
        <p className="mt-0.5 flex items-center gap-1.5 text-ink-soft tabular-nums">
          <Phone aria-hidden className="size-3.5" />
          {recipientPhone}
        </p>
      )}
    </Card>
  );
}

function Timeline({ envelope }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const { createdAt, sentAt, completedAt, expirationDate, status } = envelope;
  return (
    <Card title={t("detail.timeline")}>
      <ol className="space-y-4">
        <Moment label={t("detail.created")}>{format.dateTime(createdAt)}</Moment>
        {sentAt && <Moment label={t("detail.sent")}>{format.dateTime(sentAt)}</Moment>}
        {status === "completed" && completedAt && (
          <Moment label={t("detail.completed")} last>
            {format.dateTime(completedAt)}
          </Moment>
        )}
        {status !== "completed" && expirationDate && (
          <Moment label={t("detail.due")} open>
            {format.day(expirationDate)}
          </Moment>
        )}
      </ol>
    </Card>
  );
}

type MomentProps = { label: string; last?: boolean; open?: boolean; children: ReactNode };

function Moment({ label, last, open, children }: MomentProps) {
  const dot = open
    ? "border-line-strong bg-surface"
    : last
      ? "border-good bg-good"
      : "border-accent bg-accent";
  return (
    <li className="relative pl-6 not-last:before:absolute not-last:before:top-4 not-last:before:-bottom-4 not-last:before:left-[5px] not-last:before:w-px not-last:before:bg-line">
      <span aria-hidden className={`absolute top-1 left-0 size-[11px] rounded-full border-2 ${dot}`} />
      <p className="font-medium">{label}</p>
      <p className="text-ink-soft text-xs tabular-nums">{children}</p>
    </li>
  );
}
