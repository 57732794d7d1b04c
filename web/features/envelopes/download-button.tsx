import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import type { Submission } from "./envelopes.queries";
import { useDownload } from "./use-download";

type DownloadButtonProps = { submission: Submission; primary?: boolean };

/** Starts a browser download under the original file name. */
export function DownloadButton({ submission, primary = false }: DownloadButtonProps) {
  const { t } = useTranslation("envelopes");
  const download = useDownload();
  return (
    <Button
      {...(primary ? { variant: "primary" } : { size: "sm" })}
      aria-label={t("detail.downloadNamed", { name: submission.documentName })}
      onClick={() => download.file(submission)}
    >
      <Download aria-hidden />
      {t("detail.download")}
    </Button>
  );
}
