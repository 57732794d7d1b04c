import { MessageSquareText, Send } from "lucide-react";
import { type RefObject, useId, useState } from "react";
import { isRecord } from "../../../../worker/contract/is-record";
import { LIMITS } from "../../../../worker/contract/limits";
import { isFilled } from "../../../../worker/contract/patterns";
import { Button } from "../../../components/ui/button";
import { readStoredJson, writeStored } from "../../../lib/storage";
import { TEXTAREA } from "../files/skip-field";
import { failureText } from "../request/failure-text";
import { callServer, submissionUrl } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { keyBeside } from "../wizard/saved-progress";
import { Problem } from "../wizard/text-field";

type MessageFormProps = {
  token: string;
  name: string;
  open: boolean;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  onOpen: () => void;
  /** The link no longer accepts messages. */
  onClosed: () => void;
};

/** Writes to the requestor before the submission, and shows what was written on this device. */
export function MessageForm({ token, name, open, fieldRef, onOpen, onClosed }: MessageFormProps) {
  const { t, dateTime } = useTexts();
  const { draft, sent, problem, state, change, send } = useMessages(token, onClosed);
  const id = useId();
  const describedBy = problem ? `${id}-problem` : `${id}-hint`;
  return (
    <section inert={!token} className="mt-6">
      {sent.length > 0 && (
        <ul aria-label={t("message.sentList", { name })} className="mb-3 flex flex-col gap-2">
          {sent.map((message) => (
            <li key={message.sentAt} className="rounded-card bg-sunken px-4 py-3">
              <p className="text-ink-soft text-sm">
                {t("message.sentOn", { date: dateTime(new Date(message.sentAt)) })}
              </p>
              <p className="mt-0.5 whitespace-pre-line break-words">{message.text}</p>
            </li>
          ))}
        </ul>
      )}
      {!open && (
        <Button onClick={onOpen} className="h-auto min-h-10 max-w-full py-1.5">
          <MessageSquareText aria-hidden />
          <span className="min-w-0 whitespace-normal [overflow-wrap:anywhere]">
            {t("message.open", { name })}
          </span>
        </Button>
      )}
      {open && (
        <div className="flex flex-col gap-1.5 rounded-card border border-line p-4">
          <label htmlFor={id} className="break-words font-semibold">
            {t("message.label", { name })}
          </label>
          <textarea
            ref={fieldRef}
            id={id}
            rows={3}
            value={draft}
            maxLength={LIMITS.submissionNote}
            readOnly={state === "sending"}
            aria-invalid={problem ? true : undefined}
            aria-describedby={describedBy}
            onChange={(event) => change(event.currentTarget.value)}
            className={TEXTAREA}
          />
          {problem ? (
            <Problem id={`${id}-problem`} announced>
              {problem}
            </Problem>
          ) : (
            <p id={`${id}-hint`} className="text-ink-soft text-sm">
              {t("message.hint", { name })}
            </p>
          )}
          <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button loading={state === "sending"} onClick={send}>
              {state !== "sending" && <Send aria-hidden />}
              {t("message.send")}
            </Button>
            <p role="status" className="text-good text-sm">
              {state === "sent" && t("message.sent")}
            </p>
          </div>
        </div>
      )}
    </section>
  );
}

/** The messages of a link, and the call that sends the draft. */
function useMessages(token: string, onClosed: () => void) {
  const { t, texts } = useTexts();
  const [messages, setMessages] = useState<Messages>(() => loadMessages(token));
  const [problem, setProblem] = useState<string | null>(null);
  const [state, setState] = useState<"idle" | "sending" | "sent">("idle");
  const store = (changed: Messages) => {
    saveMessages(token, changed);
    setMessages(changed);
  };
  return {
    ...messages,
    problem,
    state,
    change(draft: string) {
      store({ ...messages, draft });
      setProblem(null);
      setState("idle");
    },
    async send() {
      const text = messages.draft.trim();
      if (!isFilled(text)) return setProblem(t("message.empty"));
      setState("sending");
      setProblem(null);
      const response = await callServer(`${submissionUrl(token)}/messages`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text }),
      });
      const { status } = response;
      setState(status === 204 ? "sent" : "idle");
      if (status === 204)
        return store({ draft: "", sent: [...messages.sent, { text, sentAt: new Date().toISOString() }] });
      if (status === 404 || status === 410) return onClosed();
      setProblem(status === 429 ? t("message.tooMany") : failureText(texts, response));
    },
  };
}

/** A message that was sent on this device. The server shows messages to the requestor only. */
type SentMessage = { text: string; sentAt: string };

/** What is typed and not sent, and what was sent. */
type Messages = { draft: string; sent: readonly SentMessage[] };

const MOST_SHOWN = 10;
const keyOf = (token: string) => keyBeside(token, "messages");

function loadMessages(token: string): Messages {
  const stored = readStoredJson(keyOf(token));
  const { draft, sent } = isRecord(stored) ? stored : {};
  return {
    draft: typeof draft === "string" ? draft : "",
    sent: Array.isArray(sent) ? sent.filter(isMessage) : [],
  };
}

/** Whether a message was typed and not sent. */
export const hasDraft = (token: string): boolean => isFilled(loadMessages(token).draft);

/** What was typed and not sent, which then is a message no more. */
export function takeDraft(token: string): string {
  const { draft, sent } = loadMessages(token);
  if (draft) saveMessages(token, { draft: "", sent });
  return draft;
}

function saveMessages(token: string, { draft, sent }: Messages): void {
  writeStored(keyOf(token), JSON.stringify({ savedAt: Date.now(), draft, sent: sent.slice(-MOST_SHOWN) }));
}

const isMessage = (value: unknown): value is SentMessage =>
  isRecord(value) && typeof value.text === "string" && typeof value.sentAt === "string";
