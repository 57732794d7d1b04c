import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { BookOpen, File } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { dayIn } from "../../../../worker/contract/time-zones";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { Fact } from "../../../components/ui/fact";
import { FileName } from "../../../components/ui/file-name";
import { lazyComponent } from "../../../components/ui/lazy-component";
import { ErrorState, QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { ApiError } from "../../../lib/api";
import { useFormat } from "../../../lib/use-format";
import { matchesMedia } from "../../../lib/use-media-query";
import { useRole, useWorkspaceOf } from "../../workspaces/workspaces.queries";
import { DownloadButton } from "../download";
import { useEnvelopeDescription, useEnvelopeTitle } from "../envelope";
import { type Envelope, envelopeQuery, type Submission } from "../envelopes.queries";
import { AskAgainDialog } from "../review/ask-again-dialog";
import type { EnvelopeDocument } from "../review/document-answers";
import {
  isReviewed,
  keyOfItem,
  type OverDetails,
  placeOf,
  type ReviewItem,
  shownItem,
} from "../review/review-items";
import { SendReturns, UnsentReturnsDialog, useUnsentGuard } from "../review/send-returns";
import { useReview } from "../review/use-review";
import type { QueueView } from "../review/use-review-queue";
import { PDF } from "../review/viewer/view";
import { SaveTemplateDialog } from "../save-template-dialog";
import { EnvelopeStatusBadge } from "../status-badge";
import { valuesOfCopy } from "../wizard/wizard-values";
import type { DetailHandlers } from "./detail-actions";
import { EnvelopeDetail } from "./envelope-detail";
import type { ReviewActions } from "./submitted-documents";

const ReviewDialog = lazyComponent(() => import("../review/review-dialog"));

type EnvelopeDialogsProps = {
  id: number;
  /** The list that it was opened from, which the review mode goes through. */
  list: QueueView;
  /** What is open over its details. */
  over: OverDetails;
  /** Opens another envelope or something over it; nothing without an envelope. */
  onOver: (shown: OverDetails & { envelope?: number }, replace?: boolean) => void;
  onEdit: (id: number) => void;
  onDuplicate: (id: number) => void;
  onCopy: (id: number) => void;
};

export default function EnvelopeDialogs(props: EnvelopeDialogsProps) {
  const { id, list, over, onOver, onEdit, onDuplicate, onCopy } = props;
  const { t } = useTranslation(["envelopes", "review", "questions", "common"]);
  const titleOf = useEnvelopeTitle();
  const descriptionOf = useEnvelopeDescription();
  const query = useQuery(envelopeQuery(id));
  const { data: envelope } = query;
  useWorkspaceOf(envelope);
  const { mayEdit } = useRole(envelope?.workspaceId);
  const review = useReview(id, envelope, mayEdit);
  useRowsBeside((envelope) => onOver({ envelope }, true));
  const guard = useUnsentGuard(id, review);
  const content = useRef<HTMLDivElement>(null);
  const focusContent = () => content.current?.focus({ preventScroll: true });
  const [saving, setSaving] = useState(false);
  const [returning, setReturning] = useState<EnvelopeDocument>();
  const file = envelope?.submissions.find((submission) => submission.id === over.file);
  const item = envelope && shownItem(envelope, over, review);
  const keyInUrl = over.document === undefined ? over.review : `answer ${over.document}`;
  const close = () => onOver({}, true);
  const showItem = (shown: ReviewItem) => onOver({ envelope: id, ...placeOf(shown), from: over.from }, true);
  useEffect(() => {
    // The URL may name the document of a file, or the next item to review, which is another one after a decision.
    if (item && keyOfItem(item) !== keyInUrl) showItem(item);
  });
  const question = envelope && guard.asking && (
    <UnsentReturnsDialog envelope={envelope} review={review} guard={guard} />
  );
  // The message is a part of the details.
  const subtitleOf = (shown: Envelope) =>
    [shown.subject, !shown.message && descriptionOf(shown)].filter(Boolean).join(" · ");
  const reviewMode = item && (
    <ReviewDialog
      envelope={envelope}
      review={review}
      item={item}
      onItem={showItem}
      list={list}
      onEnvelope={(other, shown) =>
        onOver({ envelope: other, ...(shown ? placeOf(shown) : { review: "next" }), from: over.from }, true)
      }
      onClose={over.from ? close : () => onOver({ envelope: id })}
      question={question}
    />
  );
  // The details would only flash up under it.
  if (over.from && (item || query.isPending)) return reviewMode;
  return (
    <Dialog
      onClose={close}
      width="xl"
      beside
      title={envelope ? titleOf(envelope) : t(query.error ? "detail.title" : "common:loading")}
      subtitle={envelope && subtitleOf(envelope)}
      aside={envelope && <EnvelopeStatusBadge envelope={envelope} />}
    >
      <div ref={content} tabIndex={-1} className="outline-none">
        <SendReturns
          review={review}
          onSent={focusContent}
          onDiscarded={focusContent}
          className="mb-4 rounded-control"
        />
        <Content
          query={query}
          review={review}
          onView={(file) => onOver({ envelope: id, file })}
          onReview={() => onOver({ envelope: id, review: "next" })}
          onAskAgain={setReturning}
          onEdit={() => onEdit(id)}
          onDuplicate={() => onDuplicate(id)}
          onCopy={() => onCopy(id)}
          onSaveTemplate={() => setSaving(true)}
          onDeleted={close}
        />
      </div>
      {envelope && file && !item && (
        <MountAfterParent>
          <FileDialog
            file={file}
            completedAt={envelope.completedAt}
            onOpen={isReviewed(envelope, file) ? () => onOver({ envelope: id, review: file.id }) : undefined}
            onClose={() => onOver({ envelope: id })}
          />
        </MountAfterParent>
      )}
      {reviewMode && <MountAfterParent>{reviewMode}</MountAfterParent>}
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

/** Where the list is beside the details, a press on another row opens that one, instead of closing them. */
function useRowsBeside(onOpen: (id: number) => void): void {
  const opened = useRef<HTMLElement>(null);
  // Headless UI returns the focus to the row that was opened first.
  useEffect(
    () => () => {
      const row = opened.current;
      setTimeout(() => row?.focus({ preventScroll: true }));
    },
    [],
  );
  useEffect(() => {
    const press = (event: PointerEvent) => {
      const { clientX, clientY, target } = event;
      if (!matchesMedia("(min-width: 100rem)")) return;
      // The list is inert, so that no row is the target.
      if (target instanceof Element && target.closest("[aria-modal]")) return;
      // The cells of the head lie above rows that are scrolled under them.
      const row = [...document.querySelectorAll("thead tr > *, tbody tr")].find((candidate) => {
        const { left, right, top, bottom } = candidate.getBoundingClientRect();
        return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
      });
      const link = row?.querySelector("a");
      if (!link) return;
      event.stopImmediatePropagation();
      opened.current = link;
      onOpen(Number(new URLSearchParams(link.search).get("envelope")));
    };
    addEventListener("pointerup", press, true);
    return () => removeEventListener("pointerup", press, true);
  }, [onOpen]);
}

type ContentProps = ReviewActions & DetailHandlers & { query: UseQueryResult<Envelope> };

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

type FileDialogProps = {
  file: Submission;
  completedAt: string | null;
  /** Opens the file in the review mode, if that goes through it. */
  onOpen: (() => void) | undefined;
  onClose: () => void;
};

/** One submitted file: a preview of an image, and its details. */
function FileDialog({ file, completedAt, onOpen, onClose }: FileDialogProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  const format = useFormat();
  return (
    <Dialog
      nested
      hideCloseButton
      onClose={onClose}
      title={t("file.title")}
      footer={
        <>
          <Button onClick={onClose}>{t("common:close")}</Button>
          {file.url && <DownloadButton submission={file} primary />}
        </>
      }
    >
      <Preview file={file} onOpen={onOpen} />
      <dl className="mt-5 grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact term={t("file.original")}>
          <FileName name={file.fileName} />
        </Fact>
        <Fact term={t("file.documentType")}>{file.documentName}</Fact>
        <Fact term={t("file.mimeType")}>{file.mimeType}</Fact>
        <Fact term={t("file.size")}>{format.size(file.fileSize)}</Fact>
        <Fact term={t("file.uploaded")}>{format.dateTime(file.createdAt)}</Fact>
        <Fact term={t("file.completed")}>
          {completedAt ? format.dateTime(completedAt) : t("file.notAvailable")}
        </Fact>
      </dl>
    </Dialog>
  );
}

function Preview({ file, onOpen }: Pick<FileDialogProps, "file" | "onOpen">) {
  const { t } = useTranslation("envelopes");
  const [broken, setBroken] = useState(false);
  const picture = file.mimeType.startsWith("image/") && !broken ? file.url : null;
  return (
    <div className="flex min-h-48 items-center justify-center rounded-card bg-sunken p-3">
      {picture ? (
        <img
          src={picture}
          alt={file.fileName}
          onError={() => setBroken(true)}
          className="max-h-[45vh] max-w-full rounded-md object-contain"
        />
      ) : (
        <div className="flex flex-col items-center gap-3 py-8 text-ink-soft">
          <File aria-hidden strokeWidth={1.25} className="size-14" />
          {file.mimeType !== PDF && <p className="text-xs">{t("file.noPreview")}</p>}
          {file.mimeType === PDF && onOpen && (
            <Button size="sm" onClick={onOpen}>
              <BookOpen aria-hidden />
              {t("file.open")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
