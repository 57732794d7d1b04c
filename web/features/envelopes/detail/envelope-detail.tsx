import { Phone } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../components/ui/card";
import type { Envelope } from "../envelopes.queries";
import { ExtendCard } from "./extend-card";
import { LinkCard } from "./link-card";
import { RequestedDocuments } from "./requested-documents";
import { type ReviewActions, SubmittedDocuments } from "./submitted-documents";
import { TimelineCard } from "./timeline-card";

type EnvelopeDetailProps = ReviewActions & {
  envelope: Envelope;
  /** Opens the wizard at the recipient. */
  onCorrect: () => void;
};

/** Submitted documents first, then facts and open documents; the timeline is at the right if there is space. */
export function EnvelopeDetail({ envelope, onCorrect, ...actions }: EnvelopeDetailProps) {
  const top = useRef<HTMLDivElement>(null);
  const completed = envelope.status === "completed";
  return (
    <div
      ref={top}
      tabIndex={-1}
      className="grid items-start gap-4 outline-none lg:grid-cols-[minmax(0,1fr)_280px]"
    >
      <div className="flex min-w-0 flex-col gap-4">
        {envelope.status === "expired" && (
          // The card is removed afterwards, and its focus must go somewhere.
          <ExtendCard envelope={envelope} onExtended={() => top.current?.focus()} />
        )}
        {(completed || envelope.submissions.length > 0) && (
          <SubmittedDocuments envelope={envelope} {...actions} />
        )}
        <RecipientCard envelope={envelope} />
        {!completed && <LinkCard token={envelope.submissionToken} status={envelope.status} />}
        <MessageCard envelope={envelope} />
        <RequestedDocuments envelope={envelope} review={actions.review} onAskAgain={actions.onAskAgain} />
      </div>
      <TimelineCard envelope={envelope} onCorrect={onCorrect} />
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

function MessageCard({ envelope: { subject, message } }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  if (!subject && !message) return null;
  return (
    <Card title={t("detail.message")}>
      {subject && <p className="break-words font-medium">{subject}</p>}
      {message && <p className="mt-1 whitespace-pre-wrap break-words text-ink-soft">{message}</p>}
    </Card>
  );
}
