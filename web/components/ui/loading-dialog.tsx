import { useTranslation } from "react-i18next";
import { ApiError } from "../../lib/api";
import { errorText } from "../../lib/error-text";
import { Dialog } from "./dialog";
import { ErrorState } from "./error-state";
import { Skeleton, SkeletonGroup } from "./skeleton";

type LoadingDialogProps = { title: string; onClose: () => void };

/** A form's dialog while its initial values are loading. */
export function LoadingDialog({ title, onClose }: LoadingDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={title}>
      <SkeletonGroup label={t("loading")} className="space-y-4">
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
      </SkeletonGroup>
    </Dialog>
  );
}

type LoadFailedDialogProps = LoadingDialogProps & {
  error: unknown;
  failedTitle: string;
  /** Shown if the entry does not exist, or belongs to another user. */
  missingTitle: string;
  missingText: string;
  onRetry: () => void;
  retrying: boolean;
};

/** A form's dialog if its initial values could not be loaded. */
export function LoadFailedDialog({
  title,
  onClose,
  error,
  onRetry,
  retrying,
  ...texts
}: LoadFailedDialogProps) {
  const { i18n } = useTranslation(["common", "errors", "validation"]);
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <Dialog open onClose={onClose} title={title}>
      {missing ? (
        <ErrorState title={texts.missingTitle} text={texts.missingText} />
      ) : (
        <ErrorState
          title={texts.failedTitle}
          text={errorText(error, i18n.t)}
          onRetry={onRetry}
          retrying={retrying}
        />
      )}
    </Dialog>
  );
}
