import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { IconButton } from "../../../components/ui/icon-button";
import { NativeSelect } from "../../../components/ui/native-select";
import { Line } from "../message-previews";
import { Messages, Summary } from "../wizard/envelope-summary";
import { toPayload } from "../wizard/wizard-values";
import { recipientOf, textsFor } from "./recipient-list";
import type { useSeveralForm } from "./use-several-form";

/** How many recipients without a value are named. */
const NAMED = 8;

type SeveralSummaryProps = { workspaceId: number | undefined; several: ReturnType<typeof useSeveralForm> };

/** What will be sent, in short; the messages to any of the recipients on demand. */
export function SeveralSummary({ workspaceId, several }: SeveralSummaryProps) {
  const { t } = useTranslation(["several", "envelopes"]);
  const { values, sent } = several;
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, sent.length - 1);
  const row = sent[at]?.row;
  return (
    <Summary
      recipient={<Line label={t("recipients")}>{t("count", { count: sent.length })}</Line>}
      values={values}
      notes={<Missing several={several} />}
    >
      {row && (
        <>
          <div className="mb-3 flex items-center gap-1">
            <IconButton
              icon={ChevronLeft}
              label={t("look.previous")}
              disabled={at === 0}
              onClick={() => setChosen(at - 1)}
              className="size-9"
            />
            <NativeSelect
              aria-label={t("look.recipient")}
              className="min-w-0 flex-1"
              value={String(at)}
              options={sent.map(({ row: one }, index) => ({
                value: String(index),
                label: [one.recipientName, one.recipientEmail || one.recipientPhone]
                  .filter(Boolean)
                  .join(" · "),
              }))}
              onChange={({ target }) => setChosen(Number(target.value))}
            />
            <IconButton
              icon={ChevronRight}
              label={t("look.next")}
              disabled={at === sent.length - 1}
              onClick={() => setChosen(at + 1)}
              className="size-9"
            />
          </div>
          <Messages payload={payloadFor(several, at, workspaceId)} kind="invitation" />
        </>
      )}
    </Summary>
  );
}

/** The envelope of one recipient. Its placeholders are replaced, so that every brace in it is one. */
function payloadFor(
  { values, sent, context }: SeveralSummaryProps["several"],
  at: number,
  workspaceId: number | undefined,
) {
  const payload = toPayload(values, workspaceId);
  const row = sent[at]?.row;
  if (!row) return payload;
  const { values: _, language, contactId: _c, ...recipient } = recipientOf(row, context.known, context.names);
  const { texts } = textsFor(row, context);
  const escaped = (text: string) => text.replaceAll("{", "{{");
  return {
    ...payload,
    ...recipient,
    recipientEmail: recipient.recipientEmail ?? "",
    recipientPhone: recipient.recipientPhone ?? "",
    language: language ?? payload.language,
    subject: escaped(texts.subject),
    message: escaped(texts.message),
    documents: payload.documents.map((document, index) => ({
      ...document,
      description: escaped(texts.documents[index]?.description ?? ""),
    })),
  };
}

/** Who lacks a value for a placeholder. */
function Missing({ several }: { several: SeveralSummaryProps["several"] }) {
  const { t } = useTranslation("several");
  const { lacking } = several;
  return (
    <div role="status" className="mt-2 text-xs empty:hidden">
      {lacking.length > 0 && (
        <>
          <p className="font-medium text-warn">{t("missing", { count: lacking.length })}</p>
          <ul className="mt-1 list-disc pl-4 text-ink-soft">
            {lacking.slice(0, NAMED).map(({ index, name, names }) => (
              <li key={index} className="break-words">
                {name}: {names}
              </li>
            ))}
            {lacking.length > NAMED && <li>{t("more", { count: lacking.length - NAMED })}</li>}
          </ul>
          <Button
            size="sm"
            className="mt-2"
            onClick={() => several.showRows(lacking.map(({ index }) => index))}
          >
            {t("showRows")}
          </Button>
        </>
      )}
    </div>
  );
}
