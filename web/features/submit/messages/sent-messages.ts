import { isRecord } from "../../../lib/is-record";
import { readStoredJson, writeStored } from "../../../lib/storage";
import { keyBeside } from "../wizard/saved-progress";

/** A message that was sent on this device. The server shows messages to the requestor only. */
export type SentMessage = { text: string; sentAt: string };

/** What is typed and not sent, and what was sent. */
export type Messages = { draft: string; sent: readonly SentMessage[] };

const MOST_SHOWN = 10;
const keyOf = (token: string) => keyBeside(token, "messages");

export function loadMessages(token: string): Messages {
  const stored = readStoredJson(keyOf(token));
  const { draft, sent } = isRecord(stored) ? stored : {};
  return {
    draft: typeof draft === "string" ? draft : "",
    sent: Array.isArray(sent) ? sent.filter(isMessage) : [],
  };
}

export function saveMessages(token: string, { draft, sent }: Messages): void {
  writeStored(keyOf(token), JSON.stringify({ savedAt: Date.now(), draft, sent: sent.slice(-MOST_SHOWN) }));
}

const isMessage = (value: unknown): value is SentMessage =>
  isRecord(value) && typeof value.text === "string" && typeof value.sentAt === "string";
