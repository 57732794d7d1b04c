import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Envelope } from "../envelopes.queries";
import { Facts } from "./facts";
import { RequestedDocuments } from "./requested-documents";
import { FoldedSection } from "./section";
import { type ReviewActions, SubmittedDocuments } from "./submitted-documents";
import { TimelineCard } from "./timeline-card";

type EnvelopeDetailProps = ReviewActions & {
  envelope: Envelope;
  /** Opens the wizard at the recipient. */
  onCorrect: () => void;
};

/** Facts first, then documents and the message; the timeline is at the right if there is space. */
export function EnvelopeDetail({ envelope, onCorrect, ...actions }: EnvelopeDetailProps) {
  const top = useRef<HTMLDivElement>(null);
  const completed = envelope.status === "completed";
  return (
    <div
      ref={top}
      tabIndex={-1}
      className="grid items-start gap-x-8 gap-y-6 outline-none lg:grid-cols-[minmax(0,1fr)_256px]"
    >
      <div className="flex min-w-0 flex-col gap-6">
        {/* A form in it is removed afterwards, and its focus must go somewhere. */}
        <Facts envelope={envelope} onFormClosed={() => top.current?.focus()} />
        {(completed || envelope.submissions.length > 0) && (
          <SubmittedDocuments envelope={envelope} {...actions} />
        )}
        <RequestedDocuments envelope={envelope} review={actions.review} onAskAgain={actions.onAskAgain} />
        <Message envelope={envelope} />
      </div>
      <TimelineCard envelope={envelope} onCorrect={onCorrect} />
    </div>
  );
}

/** Folded: the recipient has read it, and the title's line shows its beginning. */
function Message({ envelope: { subject, message } }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  if (!subject && !message) return null;
  return (
    <FoldedSection title={t("detail.message")}>
      {subject && <p className="break-words font-medium">{subject}</p>}
      {message && <p className="mt-1 whitespace-pre-wrap break-words text-ink-soft">{message}</p>}
    </FoldedSection>
  );
}
