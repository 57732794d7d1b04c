import { File, RotateCw } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/ui/button";
import { Spinner } from "../../../../components/ui/spinner";
import { DownloadButton } from "../../download";
import type { Submission } from "../../envelopes.queries";

export const PDF = "application/pdf";
/** What every browser can show, and nothing that could run scripts. */
export const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Whether the file can be zoomed and rotated. */
export const isViewable = ({ url, mimeType }: Submission) =>
  url !== null && (mimeType === PDF || IMAGES.includes(mimeType));

/** How a file is displayed. */
export type View = {
  /** 1 fits the window. */
  zoom: number;
  /** In degrees, clockwise. */
  rotation: number;
  /** The space for it, in CSS pixels. */
  width: number;
  height: number;
};

export function ViewLoading() {
  const { t } = useTranslation("common");
  return (
    <div className="m-auto text-ink-soft">
      <Spinner label={t("loading")} />
    </div>
  );
}

type ViewMessageProps = { children: ReactNode; action?: ReactNode; onShown: () => void };

/** Instead of a file that cannot be shown. */
export function ViewMessage({ children, action, onShown }: ViewMessageProps) {
  useEffect(onShown, [onShown]);
  return (
    <div className="m-auto flex max-w-sm flex-col items-center gap-3 p-6 text-center text-ink-soft">
      <File aria-hidden strokeWidth={1.25} className="size-14" />
      <div>{children}</div>
      {action}
    </div>
  );
}

type ViewFailedProps = { file: Submission; onRetry: () => void; onShown: () => void };

export function ViewFailed({ file, onRetry, onShown }: ViewFailedProps) {
  const { t } = useTranslation(["review", "common"]);
  return (
    <ViewMessage
      onShown={onShown}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button onClick={onRetry}>
            <RotateCw aria-hidden />
            {t("common:tryAgain")}
          </Button>
          <DownloadButton submission={file} primary />
        </div>
      }
    >
      <p className="font-medium text-ink">{t("mode.broken")}</p>
      <p className="mt-1">{t("mode.brokenText")}</p>
    </ViewMessage>
  );
}
