import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { startDownload } from "../../lib/start-download";
import type { Submission } from "./envelopes.queries";
import { useRefreshTimelineLater } from "./timeline.queries";

/** Tells a file from the others of its document. */
export const fileTitle = ({ documentName, fileName }: Submission): string => `${documentName} (${fileName})`;

type DownloadButtonProps = { submission: Submission; primary?: boolean };

/** Starts a browser download under the original file name. */
export function DownloadButton({ submission, primary = false }: DownloadButtonProps) {
  const { t } = useTranslation("envelopes");
  const download = useDownload();
  return (
    <Button
      {...(primary ? { variant: "primary" } : { size: "sm", variant: "ghost" })}
      aria-label={t("detail.downloadNamed", { name: fileTitle(submission) })}
      onClick={() => download.file(submission)}
    >
      <Download aria-hidden />
      {t("detail.download")}
    </Button>
  );
}

/** Downloads by the browser, which stream to the disk. The timeline shows them shortly after. */
export function useDownload() {
  const refreshTimeline = useRefreshTimelineLater();
  const start = (href: string, name: string) => {
    startDownload(href, name);
    refreshTimeline();
  };
  return {
    /** One file, under its original name. */
    file: ({ url, fileName }: Submission) => start(`${url}?download`, fileName),
    /** All submitted files of an envelope as a ZIP archive, which the server names. */
    archive: (envelopeId: number) => start(`/api/requests/${envelopeId}/files.zip`, ""),
  };
}
