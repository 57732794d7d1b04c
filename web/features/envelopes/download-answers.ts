import { useMutation } from "@tanstack/react-query";
import { downloadFile } from "./bulk/bulk-actions";

/** Downloads the submitted answers of several envelopes as one spreadsheet. */
export const useDownloadAnswers = () =>
  useMutation({
    mutationFn: (envelopes: `ids=${string}` | `bulkId=${number}`) => downloadFile(`answers.csv?${envelopes}`),
    meta: { failure: { title: "questions:downloadFailed" } },
  });
