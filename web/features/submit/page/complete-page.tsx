import { CircleCheck, Download, FileText } from "lucide-react";
import type { Brand } from "../../../../worker/contract/brand";
import { Button } from "../../../components/ui/button";
import { FileName } from "../../../components/ui/file-name";
import { type Receipt, requestorName } from "../request/request-state";
import { useTexts } from "../translation/use-texts";
import { MessagePage } from "./message-page";
import { downloadReceipt } from "./receipt-file";

/** The list of the submitted files: with thanks after the submission, or for who opens the link again. */
export function CompletePage({
  receipt,
  brand,
  again,
}: {
  receipt: Receipt;
  brand: Brand | null;
  again?: boolean;
}) {
  const texts = useTexts();
  const { t, size, dateTime } = texts;
  const user = receipt.request?.user;
  const date = dateTime(new Date(receipt.submittedAt));
  return (
    <MessagePage
      icon={CircleCheck}
      tone="good"
      title={t(again ? "expired.title" : "complete.title")}
      text={t(again ? "expired.completed" : "complete.text")}
    >
      <div className="mt-8 rounded-card border border-line text-left">
        <div className="px-4 py-3">
          {receipt.files.length > 0 && <h2>{t("complete.receipt")}</h2>}
          <p className="text-ink-soft text-sm">
            {user
              ? t("complete.to", { name: requestorName(user) ?? user.email, date })
              : t("complete.on", { date })}
          </p>
        </div>
        <ul className="divide-y divide-line border-line not-empty:border-t">
          {receipt.files.map(({ documentName, fileName, fileSize, sha256 }) => (
            <li key={`${documentName} ${fileName} ${sha256}`} className="flex items-center gap-3 px-4 py-3">
              <FileText aria-hidden className="size-5 shrink-0 text-ink-soft" />
              <span className="flex min-w-0 flex-1 flex-col sm:flex-row sm:items-center sm:gap-3">
                <span className="min-w-0 sm:flex-1">
                  <span className="block hyphens-auto break-words font-medium leading-6">{documentName}</span>
                  <span className="block text-ink-soft text-sm leading-5 [overflow-wrap:anywhere]">
                    <FileName name={fileName} />
                  </span>
                </span>
                <span className="shrink-0 text-ink-soft text-sm tabular-nums">{size(fileSize)}</span>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <Button size="lg" className="mt-6" onClick={() => downloadReceipt(receipt, brand, texts)}>
        <Download aria-hidden />
        {t("complete.save")}
      </Button>
      <p className="mx-auto mt-4 max-w-md text-balance text-ink-soft text-sm">
        {t(again ? "expired.completedHint" : "complete.close")}
      </p>
    </MessagePage>
  );
}
