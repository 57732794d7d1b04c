import { CircleCheck, FileText } from "lucide-react";
import { useState } from "react";
import { requestorName } from "../request/request-state";
import type { RecipientRequest } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import type { ChosenFile } from "../upload/send-files";
import { MessagePage } from "./message-page";

/** After a submission: thanks, and a list of the files that were sent. */
export function CompletePage({ request, sent }: { request: RecipientRequest; sent: readonly ChosenFile[] }) {
  const { t, size, dateTime } = useTexts();
  const [submittedAt] = useState(() => new Date());
  const name = requestorName(request.user) ?? request.user.email;
  return (
    <MessagePage icon={CircleCheck} tone="good" title={t("complete.title")} text={t("complete.text")}>
      <div className="mt-8 rounded-card border border-line text-left">
        <div className="border-line border-b px-4 py-3">
          <h2>{t("complete.receipt")}</h2>
          <p className="text-ink-soft text-sm">{t("complete.to", { name, date: dateTime(submittedAt) })}</p>
        </div>
        <ul className="divide-y divide-line">
          {sent.map(({ name, file }) => (
            <li key={name} className="flex items-center gap-3 px-4 py-3">
              <FileText aria-hidden className="size-5 shrink-0 text-ink-soft" />
              <span className="min-w-0 flex-1">
                <span className="block break-words font-medium leading-5">{name}</span>
                <span className="block text-ink-soft text-sm leading-5 [overflow-wrap:anywhere]">
                  {file.name}
                </span>
              </span>
              <span className="shrink-0 text-ink-soft text-sm tabular-nums">{size(file.size)}</span>
            </li>
          ))}
        </ul>
      </div>
      <p className="mt-6 text-ink-soft text-sm">{t("complete.close")}</p>
    </MessagePage>
  );
}
