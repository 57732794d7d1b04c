import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { CopyPlus, LayoutTemplate, Pencil, UsersRound } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { dayIn } from "../../../../worker/contract/time-zones";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { lazyComponent } from "../../../components/ui/lazy-component";
import { ErrorState, QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { ApiError } from "../../../lib/api";
import { useRole, useWorkspaceOf } from "../../workspaces/workspaces.queries";
import { useEnvelopeDescription, useEnvelopeTitle } from "../envelope";
import { type Envelope, envelopeQuery } from "../envelopes.queries";
import { AskAgainDialog } from "../review/ask-again-dialog";
import type { EnvelopeDocument } from "../review/document-answers";
import { findItem, firstItem, isReviewed } from "../review/review-items";
import { SendReturns, UnsentReturnsDialog, useUnsentGuard } from "../review/send-returns";
import { useReview } from "../review/use-review";
import { SaveTemplateDialog } from "../save-template-dialog";
import { EnvelopeStatusBadges } from "../status-badge";
import { valuesOfCopy } from "../wizard/wizard-values";
import { EnvelopeDetail } from "./envelope-detail";
import { FileDialog } from "./file-dialog";
import type { ReviewActions } from "./submitted-documents";

const ReviewDialog = lazyComponent(() => import("../review/review-dialog"));

type EnvelopeDialogsProps = {
  id: number;
  /** The submitted file that is open over the envelope. */
  fileId: number | undefined;
  onFile: (id: number | undefined) => void;
  /** The file that the review mode shows, over the envelope. */
  reviewFileId: number | undefined;
  /** Opens, moves or closes the review mode. */
  onReview: (fileId: number | undefined, options?: { replace: boolean }) => void;
  onEdit: (id: number) => void;
  onDuplicate: (id: number) => void;
  onCopy: (id: number) => void;
  onClose: () => void;
};

export default function EnvelopeDialogs(props: EnvelopeDialogsProps) {
  const { id, fileId, onFile, reviewFileId, onReview, onEdit, onDuplicate, onCopy, onClose } = props;
  const { t } = useTranslation(["envelopes", "review", "common"]);
  const titleOf = useEnvelopeTitle();
  const descriptionOf = useEnvelopeDescription();
  const query = useQuery(envelopeQuery(id));
  const { data: envelope } = query;
  useWorkspaceOf(envelope);
  const { mayEdit } = useRole(envelope?.workspaceId);
  const review = useReview(id, envelope, mayEdit);
  const guard = useUnsentGuard(id, review);
  const content = useRef<HTMLDivElement>(null);
  const focusContent = () => content.current?.focus({ preventScroll: true });
  const [saving, setSaving] = useState(false);
  const [returning, setReturning] = useState<EnvelopeDocument>();
  const file = envelope?.submissions.find((submission) => submission.id === fileId);
  const item = envelope && reviewFileId !== undefined && findItem(envelope, reviewFileId);
  const question = envelope && guard.asking && (
    <UnsentReturnsDialog envelope={envelope} review={review} guard={guard} />
  );
  const editable = mayEdit && (envelope?.status === "draft" || envelope?.status === "pending");
  return (
    <Dialog
      onClose={onClose}
      width="xl"
      title={envelope ? titleOf(envelope) : t(query.error ? "detail.title" : "common:loading")}
      subtitle={envelope && descriptionOf(envelope)}
      aside={envelope && <EnvelopeStatusBadges envelope={envelope} />}
      footer={
        envelope &&
        mayEdit && (
          <>
            <Button variant="ghost" className="mr-auto" onClick={() => setSaving(true)}>
              <LayoutTemplate aria-hidden />
              {t("saveTemplate.action")}
            </Button>
            <Button onClick={() => onDuplicate(id)}>
              <CopyPlus aria-hidden />
              {t("duplicate.action")}
            </Button>
            <Button onClick={() => onCopy(id)}>
              <UsersRound aria-hidden />
              {t("duplicate.toOthers")}
            </Button>
            <SendReturns review={review} onSent={focusContent} onDiscarded={focusContent} />
            {editable && (
              <Button variant={envelope.isDraft ? "primary" : "secondary"} onClick={() => onEdit(id)}>
                <Pencil aria-hidden />
                {t("detail.edit")}
              </Button>
            )}
          </>
        )
      }
    >
      <div ref={content} tabIndex={-1} className="outline-none">
        <Content
          query={query}
          review={review}
          onView={onFile}
          onReview={() => onReview(envelope && firstItem(envelope, review)?.file.id)}
          onAskAgain={setReturning}
          onCorrect={() => onEdit(id)}
        />
      </div>
      {envelope && file && !item && (
        <MountAfterParent>
          <FileDialog
            file={file}
            completedAt={envelope.completedAt}
            onOpen={isReviewed(envelope, file) ? () => onReview(file.id) : undefined}
            onClose={() => onFile(undefined)}
          />
        </MountAfterParent>
      )}
      {item && (
        <MountAfterParent>
          <ReviewDialog
            envelope={envelope}
            review={review}
            item={item}
            onFile={(file) => onReview(file, { replace: true })}
            onClose={() => onReview(undefined)}
            question={question}
          />
        </MountAfterParent>
      )}
      {envelope && saving && (
        <MountAfterParent>
          <SaveTemplateDialog
            values={valuesOfCopy(envelope, "")}
            day={dayIn(envelope.timeZone, new Date(envelope.sentAt ?? Date.now()))}
            workspaceId={envelope.workspaceId}
            onClose={() => setSaving(false)}
          />
        </MountAfterParent>
      )}
      {!item && question}
      {returning && (
        <AskAgainDialog document={returning} review={review} onClose={() => setReturning(undefined)} />
      )}
    </Dialog>
  );
}

type ContentProps = ReviewActions & {
  query: UseQueryResult<Envelope>;
  onCorrect: () => void;
};

function Content({ query, ...rest }: ContentProps) {
  const { data: envelope, error } = query;
  const { t } = useTranslation(["envelopes", "common", "errors", "validation"]);
  const gone = error instanceof ApiError && error.status === 404;
  if (gone) return <ErrorState title={t("detail.missing")} text={t("detail.missingText")} />;
  if (envelope) return <EnvelopeDetail envelope={envelope} {...rest} />;
  return (
    <QueryPlaceholder query={query} failed={t("common:failed.title")} rowClass="h-28" className="space-y-4" />
  );
}

/** If both dialogs open in one render, Headless UI takes the lower one for the upper one. */
function MountAfterParent({ children }: { children: ReactNode }) {
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return mounted && children;
}
