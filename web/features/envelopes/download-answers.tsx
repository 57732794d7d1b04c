import { useMutation } from "@tanstack/react-query";
import { FileSpreadsheet } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { useFormat } from "../../lib/use-format";
import { downloadFile } from "./bulk/bulk-actions";

type DownloadAnswersProps = {
  envelopes: `ids=${string}` | `bulkId=${number}`;
  /** How many envelopes of a selection have answers. */
  count?: number;
};

/** Downloads the submitted answers of several envelopes as one spreadsheet. */
export default function DownloadAnswers({ envelopes, count }: DownloadAnswersProps) {
  const { t } = useTranslation("questions");
  const format = useFormat();
  const download = useMutation({
    mutationFn: () => downloadFile(`answers.csv?${envelopes}`),
    meta: { failure: { title: "questions:downloadFailed" } },
  });
  const label = t("download");
  return (
    <Button
      size="sm"
      className="max-[379px]:px-2"
      loading={download.isPending}
      aria-label={count === undefined ? undefined : `${label} ${format.number(count)}`}
      onClick={() => download.mutate()}
    >
      {!download.isPending && <FileSpreadsheet aria-hidden />}
      <span className={count === undefined ? "max-sm:sr-only" : "max-[379px]:sr-only"}>{`${label} `}</span>
      {count !== undefined && <span className="text-ink-soft tabular-nums">{format.number(count)}</span>}
    </Button>
  );
}
