import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { ErrorState } from "../../../components/ui/error-state";
import { Skeleton, SkeletonGroup } from "../../../components/ui/skeleton";
import { ApiError } from "../../../lib/api";
import { errorText } from "../../../lib/error-text";
import { cachedEnvelope, type Envelope, envelopeQuery } from "../envelopes.queries";
import { StatusBadge } from "../status-badge";
import { EnvelopeDetail } from "./envelope-detail";
import { FileDialog } from "./file-dialog";

type EnvelopeDialogsProps = {
  id: number;
  /** The submitted file that is open over the envelope. */
  fileId: number | undefined;
  onFile: (id: number | undefined) => void;
  onEdit: (id: number) => void;
  onClose: () => void;
};

export default function EnvelopeDialogs({ id, fileId, onFile, onEdit, onClose }: EnvelopeDialogsProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  const client = useQueryClient();
  const {
    data: envelope,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...envelopeQuery(id),
    placeholderData: () => cachedEnvelope(client, id),
  });
  const file = envelope?.submissions.find((submission) => submission.id === fileId);
  const editable = envelope?.status === "draft" || envelope?.status === "pending";
  return (
    <Dialog
      open
      onClose={onClose}
      width="xl"
      title={envelope?.title ?? t("common:loading")}
      description={envelope?.description}
      aside={envelope && <StatusBadge status={envelope.status} />}
      footer={
        editable && (
          <Button onClick={() => onEdit(id)}>
            <Pencil aria-hidden />
            {t("detail.edit")}
          </Button>
        )
      }
    >
      <Content
        envelope={envelope}
        error={error}
        retrying={isFetching}
        onRetry={refetch}
        onView={onFile}
        onCorrect={() => onEdit(id)}
      />
      {envelope && file && (
        <MountAfterParent>
          <FileDialog file={file} completedAt={envelope.completedAt} onClose={() => onFile(undefined)} />
        </MountAfterParent>
      )}
    </Dialog>
  );
}

type ContentProps = {
  envelope: Envelope | undefined;
  error: Error | null;
  retrying: boolean;
  onRetry: () => unknown;
  onView: (id: number) => void;
  onCorrect: () => void;
};

function Content({ envelope, error, retrying, onRetry, onView, onCorrect }: ContentProps) {
  const { t, i18n } = useTranslation(["envelopes", "common", "errors", "validation"]);
  const gone = error instanceof ApiError && error.status === 404;
  if (gone) return <ErrorState title={t("detail.missing")} text={t("detail.missingText")} />;
  if (envelope) return <EnvelopeDetail envelope={envelope} onView={onView} onCorrect={onCorrect} />;
  if (error)
    return (
      <ErrorState
        title={t("common:failed.title")}
        text={errorText(error, i18n.t)}
        onRetry={onRetry}
        retrying={retrying}
      />
    );
  return (
    <SkeletonGroup label={t("common:loading")} className="space-y-4">
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
    </SkeletonGroup>
  );
}

/** If both dialogs open in one render, Headless UI takes the lower one for the upper one. */
function MountAfterParent({ children }: { children: ReactNode }) {
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return mounted && children;
}
