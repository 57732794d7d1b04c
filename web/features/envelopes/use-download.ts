import type { Submission } from "./envelopes.queries";
import { useRefreshTimelineLater } from "./timeline.queries";

/** Downloads by the browser, which stream to the disk. The timeline shows them a moment later. */
export function useDownload() {
  const refreshTimeline = useRefreshTimelineLater();
  const start = (href: string, name: string) => {
    const link = document.createElement("a");
    link.href = href;
    link.download = name;
    link.click();
    refreshTimeline();
  };
  return {
    /** One file, under its original name. */
    file: ({ url, fileName }: Submission) => start(`${url}?download`, fileName),
    /** All submitted files of an envelope as a ZIP archive, which the server names. */
    archive: (envelopeId: number) => start(`/api/requests/${envelopeId}/files.zip`, ""),
  };
}
