import { CircleCheck, Download, FileText } from "lucide-react";
import { Button } from "../../../components/ui/button";
import { requestorName } from "../request/request-state";
import type { RecipientRequest } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import type { Receipt } from "../upload/receipt";
import { MessagePage } from "./message-page";
import { saveReceipt } from "./receipt-file";

/** After a submission: thanks, and a list of the submitted files. */
export function CompletePage({ request, receipt }: { request: RecipientRequest; receipt: Receipt }) {
  const texts = useTexts();
  const { t, size, dateTime } = texts;
  const name = requestorName(request.user) ?? request.user.email;
  return (
    <MessagePage icon={CircleCheck} tone="good" title={t("complete.title")} text={t("complete.text")}>
      <div className="mt-8 rounded-card border border-line text-left">
        <div className="border-line border-b px-4 py-3">
          <h2>{t("complete.receipt")}</h2>
          <p className="text-ink-soft text-sm">
            {t("complete.to", { name, date: dateTime(new Date(receipt.submittedAt)) })}
          </p>
        </div>
        <ul className="divide-y divide-line">
          {receipt.files.map(({ documentName, fileName, fileSize, sha256 }) => (
            <li key={`${documentName} ${fileName} ${sha256}`} className="flex items-center gap-3 px-4 py-3">
              <FileText aria-hidden className="size-5 shrink-0 text-ink-soft" />
              <span className="flex min-w-0 flex-1 flex-col sm:flex-row sm:items-center sm:gap-3">
                <span className="min-w-0 sm:flex-1">
                  <span className="block hyphens-auto break-words font-medium leading-6">{documentName}</span>
                  <span className="block text-ink-soft text-sm leading-5 [overflow-wrap:anywhere]">
                    {fileName}
                  </span>
                </span>
                <span className="shrink-0 text-ink-soft text-sm tabular-nums">{size(fileSize)}</span>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <Button size="lg" className="mt-6" onClick={() => saveReceipt(request, receipt, texts)}>
        <Download aria-hidden />
        {t("complete.save")}
      </Button>
      <p className="mt-4 text-ink-soft text-sm">{t("complete.close")}</p>
    </MessagePage>
  );
}
