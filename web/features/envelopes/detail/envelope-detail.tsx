import { Phone } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../components/ui/card";
import type { Envelope } from "../envelopes.queries";
import { ExtendCard } from "./extend-card";
import { LinkCard } from "./link-card";
import { RequestedDocuments } from "./requested-documents";
import { SubmittedDocuments } from "./submitted-documents";
import { TimelineCard } from "./timeline-card";

type EnvelopeDetailProps = {
  envelope: Envelope;
  onView: (fileId: number) => void;
  /** Opens the wizard at the recipient. */
  onCorrect: () => void;
};

/** Facts first, then documents; the timeline stands at the right where there is room. */
export function EnvelopeDetail({ envelope, onView, onCorrect }: EnvelopeDetailProps) {
  const { t } = useTranslation("envelopes");
  const top = useRef<HTMLDivElement>(null);
  const completed = envelope.status === "completed";
  return (
    <div
      ref={top}
      tabIndex={-1}
      className="grid items-start gap-4 outline-none lg:grid-cols-[minmax(0,1fr)_280px]"
    >
      <div className="flex min-w-0 flex-col gap-4">
        <RecipientCard envelope={envelope} />
        {envelope.status === "expired" && (
          // The card is removed afterwards, and its focus must go somewhere.
          <ExtendCard envelope={envelope} onExtended={() => top.current?.focus()} />
        )}
        {!completed && <LinkCard token={envelope.submissionToken} status={envelope.status} />}
        {(envelope.subject || envelope.message) && (
          <Card title={t("detail.message")}>
            {envelope.subject && <p className="break-words font-medium">{envelope.subject}</p>}
            {envelope.message && (
              <p className="mt-1 whitespace-pre-wrap break-words text-ink-soft">{envelope.message}</p>
            )}
          </Card>
        )}
        {completed && <SubmittedDocuments envelope={envelope} onView={onView} />}
        <RequestedDocuments documents={envelope.documents} />
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
