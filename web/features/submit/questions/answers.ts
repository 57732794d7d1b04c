import { useEffect } from "react";
import type { ErrorCode } from "../../../../worker/contract/errors";
import { isRecord } from "../../../../worker/contract/is-record";
import { isFilled } from "../../../../worker/contract/patterns";
import {
  type Answer,
  type AnswerProblem,
  choicesOf,
  readAnswer,
} from "../../../../worker/contract/questions";
import { visibleEntries } from "../../../../worker/contract/visible-entries";
import { dismissToast } from "../../../components/ui/toast-store";
import { afterPress } from "../../../lib/after-press";
import { regionalLocale } from "../../../lib/format";
import { readStoredJson, writeStored } from "../../../lib/storage";
import { createStore } from "../../../lib/store";
import { readTypedNumber, writeNumber } from "../../../lib/typed-number";
import { type SubmittedAnswer, toRequestState } from "../request/request-state";
import {
  type ApiResponse,
  callServer,
  codeOf,
  fetchRequest,
  isReceived,
  type RequestedDocument,
  submissionUrl,
} from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { keyBeside } from "../wizard/saved-progress";

/** What is typed or chosen; empty for no answer. */
export type Typed = string | readonly string[];

export type AnswerEntry = {
  typed: Typed;
  /** What is wrong with it, once its field was left. */
  problem: AnswerProblem | "answerRequired" | "questionChanged" | null;
  /** Whether a value is kept that is not shown, because it is confidential. */
  isKept: boolean;
  /** Whether the server has what was typed here. */
  isSaved: boolean;
  /** What was typed here, and waited too long: the server has a newer answer. It is offered. */
  late: Waiting | null;
};

/** What is typed and not sent yet: when, and the answers of the server that it replaces. */
type Waiting = { typed: Typed; at: number; replaces: readonly string[] };

type State = {
  entries: ReadonlyMap<number, AnswerEntry>;
  /** Whether all that is typed and valid is kept on the server. */
  saved: boolean;
};

const SAVE_AFTER_MS = 800;
const RETRY_MS = 5000;
/** What waits longer may be older than what another device has answered. */
const READ_AGAIN_MS = 60_000;
/** Browsers refuse to finish more than 64 KB after the page is left; a character takes up to three bytes. */
const MAX_KEEPALIVE = 20_000;
const EMPTY: AnswerEntry = { typed: "", problem: null, isKept: false, isSaved: false, late: null };

const store = createStore<State>({ entries: new Map(), saved: false });
export const useAnswers = store.use;
export const answerOf = ({ entries }: State, { id }: RequestedDocument): AnswerEntry =>
  entries.get(id) ?? EMPTY;

export const isQuestion = ({ kind }: Pick<RequestedDocument, "kind">): boolean => kind !== "file";
/** Whether something is typed for it: the answer to a question, or the day until which a file is valid. */
const isTyped = (document: RequestedDocument) => isQuestion(document) || document.asksValidUntil;
/** How numbers are typed: after the language that is shown, not the one whose texts are still loading. */
let locale = "en";
/** The day of a time, here. */
export const today = (at = Date.now()) =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

/** The answer that is typed, or what is wrong with it. */
export function readTyped(document: RequestedDocument, typed: Typed): ReturnType<typeof readAnswer> {
  if (isEmpty(typed)) return { answer: null };
  if (document.kind !== "number") return readAnswer(document, typed, today());
  const number = readTypedNumber(String(typed), locale);
  return number === null ? { problem: "invalidNumber" } : readAnswer(document, number, today());
}

const isEmpty = (typed: Typed) => (typeof typed === "string" ? !isFilled(typed) : typed.length === 0);

/** What is typed in place of an answer that the server has. */
export function typedOf({ kind, format }: RequestedDocument, answer: Answer | null): Typed {
  if (kind === "number" && typeof answer === "string") return writeNumber(answer, locale);
  return format === "iban" ? groupIban(String(answer ?? "")) : (answer ?? "");
}

/** "DE89 3704 0044 0532 0130 00", as on bank cards and statements. */
export const groupIban = (iban: string): string => iban.replaceAll(/\S{4}(?=\S)/g, "$& ");

/** A typed number as another locale writes it: "1.234" is not the same number in German and in English. */
function rewritten({ kind }: RequestedDocument, typed: Typed, from: string): Typed {
  const number = kind === "number" && from !== locale ? readTypedNumber(String(typed), from) : null;
  return number === null ? typed : writeNumber(number, locale);
}

/** Shows numbers as a language writes them, those that are typed already too. */
export function writeNumbersIn(language: string, documents: readonly RequestedDocument[]): void {
  const before = locale;
  locale = regionalLocale(language);
  const next = new Map(store.get().entries);
  for (const document of documents) {
    const entry = next.get(document.id);
    if (!entry) continue;
    const late = entry.late && { ...entry.late, typed: rewritten(document, entry.late.typed, before) };
    next.set(document.id, { ...entry, typed: rewritten(document, entry.typed, before), late });
  }
  set(next);
  if (before === locale || unsaved.size === 0) return;
  storeWaiting();
  scheduleSave();
}

/** The documents that are asked, after what is typed. */
export function askedOf(
  documents: readonly RequestedDocument[],
  state = store.get(),
): Set<RequestedDocument> {
  return visibleEntries(documents, (document) => {
    if (isReceived(document)) return document.answer;
    const read = readTyped(document, answerOf(state, document).typed);
    return "answer" in read ? read.answer : null;
  });
}

/** The question that the recipient wants to change, on the way back from the last step. */
let toChange: number | undefined;

/** What the next view of the questions begins with. */
export function changeNext(document: RequestedDocument): void {
  toChange = document.id;
}

export function takeChanged(): number | undefined {
  const id = toChange;
  toChange = undefined;
  return id;
}

/** The questions whose answers are not kept yet. */
const unsaved = new Map<number, RequestedDocument>();
/** Those of them that could not be sent, and were not typed in since. */
const waited = new Set<number>();
/** By question, the answers of the server that this page has shown or sent: another one is newer. */
const known = new Map<number, readonly string[]>();
let readAt = 0;
let token = "";
/** The documents that were loaded last, of which the entries know more since then. */
let loaded: readonly RequestedDocument[] | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let saving: Promise<void> = Promise.resolve();
/** The question in whose field is typed: only there a confidential answer that is kept stays visible. */
let typedIn: number | undefined;

/** Called with a response that says why answers are not kept, or what the request is now. */
let onResponse: (response: ApiResponse) => void = () => {};
export function whenAnswersGetResponse(call: typeof onResponse): void {
  onResponse = call;
}

function set(entries: ReadonlyMap<number, AnswerEntry>, saved = store.get().saved) {
  store.set({ entries, saved });
}

function change(id: number, changes: Partial<AnswerEntry>): void {
  const { entries } = store.get();
  set(new Map(entries).set(id, { ...(entries.get(id) ?? EMPTY), ...changes }), false);
}

/** The answers of a request that is shown. */
export function useLoadedAnswers(ofToken: string, documents: readonly RequestedDocument[]): State {
  const { language } = useTexts();
  useEffect(() => writeNumbersIn(language, documents), [language, documents]);
  useEffect(() => loadAnswers(ofToken, documents), [ofToken, documents]);
  return useAnswers();
}

const answerIn = (document: RequestedDocument) =>
  isQuestion(document) ? document.answer : document.validUntil;

/** An answer of the server, and why it was asked again: compared in place of times, since a device's clock may be wrong. */
const serverAnswer = ({ reason }: RequestedDocument, answer: Answer | null): string =>
  JSON.stringify([reason ?? null, answer]);

const UNANSWERED = JSON.stringify([null, null]);

/** Shows what the server has, except where something is typed here that it does not have yet. */
export function loadAnswers(ofToken: string, documents: readonly RequestedDocument[]): void {
  const isSameLink = ofToken && token === ofToken;
  if (isSameLink && loaded === documents) return;
  const before = isSameLink ? store.get().entries : new Map<number, AnswerEntry>();
  token = ofToken;
  loaded = documents;
  readAt = Date.now();
  const waiting = readWaiting();
  const done: number[] = [];
  const entries = documents.filter(isTyped).map((document): [number, AnswerEntry] => {
    const { id, answered, confidential, questionChanged } = document;
    const answer = answerIn(document);
    const now = serverAnswer(document, answer);
    const entry = before.get(id);
    const isKept = confidential && answered;
    if (isReceived(document)) forget(id);
    // An earlier answer that is asked again is not what was cleared here.
    const isAskedAgain = isQuestion(document) && !answered && !confidential;
    const isCleared = isAskedAgain && entry?.isSaved && isEmpty(entry.typed);
    const stored = waiting.get(id);
    let kept = stored ?? entry?.late;
    if (entry && unsaved.has(id)) {
      const replaces = known.get(id) ?? [];
      // Of confidential ones the page does not know what the server has.
      if (!waited.has(id) || confidential || replaces.includes(now)) return [id, entry];
      forget(id);
      kept = { typed: entry.typed, at: stored?.at ?? Date.now(), replaces };
    } else if (entry && isCleared) return [id, entry];
    let late: Waiting | null = null;
    if (kept && !confidential && !isReceived(document)) {
      const read = readTyped(document, kept.typed);
      if ("answer" in read && serverAnswer(document, read.answer) === now) done.push(id);
      else if (kept.replaces.includes(now)) {
        unsaved.set(id, document);
        waited.add(id);
        known.set(id, kept.replaces);
        return [id, { ...EMPTY, typed: kept.typed, isKept }];
      } else if (!isEmpty(kept.typed)) late = kept;
    }
    known.set(id, [now]);
    return [
      id,
      {
        typed: confidential ? (entry?.typed ?? "") : typedOf(document, answer),
        problem: questionChanged ? "questionChanged" : null,
        isKept,
        isSaved: entry?.isSaved ?? false,
        late,
      },
    ];
  });
  set(new Map(entries));
  if (done.length > 0) storeWaiting(done);
  if (unsaved.size > 0) scheduleSave();
}

function forget(id: number): void {
  unsaved.delete(id);
  waited.delete(id);
}

const isValue = (value: unknown): value is Typed =>
  typeof value === "string" || (Array.isArray(value) && value.every((one) => typeof one === "string"));

/** Answers of this link that wait on this device for the connection; never confidential ones. */
function readWaiting(): Map<number, Waiting> {
  const stored = readStoredJson(keyBeside(token, "answers"));
  const { answers, locale: from, savedAt } = isRecord(stored) ? stored : {};
  const valid = Object.entries(isRecord(answers) ? answers : {}).flatMap(([id, one]): [number, Waiting][] => {
    // An earlier version has stored only what was typed.
    const { typed, at, replaces }: Record<string, unknown> = isRecord(one)
      ? one
      : { typed: one, at: savedAt, replaces: UNANSWERED };
    const document = loaded?.find((document) => document.id === Number(id));
    if (!document || !isValue(typed) || typeof at !== "number" || !isValue(replaces)) return [];
    return [
      [
        document.id,
        { typed: rewritten(document, typed, String(from ?? locale)), at, replaces: [replaces].flat() },
      ],
    ];
  });
  return new Map(valid);
}

/** Another tab may have stored answers too. */
function storeWaiting(done: readonly number[] = []): void {
  const { entries } = store.get();
  const before = readWaiting();
  const answers = (loaded ?? []).flatMap((document): [number, Waiting][] => {
    const { id, confidential } = document;
    if (confidential || isReceived(document)) return [];
    const stored = before.get(id);
    const typed = entries.get(id)?.typed ?? "";
    if (unsaved.has(id)) {
      const at = stored && isSame(stored.typed, typed) ? stored.at : Date.now();
      return [[id, { typed, at, replaces: known.get(id) ?? [] }]];
    }
    return stored && !done.includes(id) ? [[id, stored]] : [];
  });
  const waiting =
    answers.length > 0 ? { savedAt: Date.now(), locale, answers: Object.fromEntries(answers) } : null;
  writeStored(keyBeside(token, "answers"), waiting && JSON.stringify(waiting));
}

const isSame = (one: Typed, other: Typed) => JSON.stringify(one) === JSON.stringify(other);

/** What is typed is kept soon; without a link, where a page is tried, nowhere. */
export function typeAnswer(document: RequestedDocument, typed: Typed): void {
  if (token) unsaved.set(document.id, document);
  waited.delete(document.id);
  typedIn = document.id;
  change(document.id, { typed, problem: null, isSaved: false, late: null });
  storeWaiting();
  scheduleSave();
}

/** The field was left: says what is wrong, and keeps what is right. Browsers report a half-typed date as none. */
export function leaveAnswer(document: RequestedDocument, isHalfTyped = false): void {
  // Who looks something up in another window comes back to the field.
  const isLeft = !globalThis.document.activeElement?.matches("input, textarea");
  if (isLeft) typedIn = undefined;
  afterPress(() => {
    const { typed, problem, isKept, isSaved } = answerOf(store.get(), document);
    const read = isHalfTyped ? { problem: "invalidDate" as const } : readTyped(document, typed);
    if ("problem" in read) change(document.id, { problem: read.problem });
    else if (problem === "invalidDate") change(document.id, { problem: null });
    if (isLeft && isKept && isSaved) change(document.id, { typed: "" });
  });
  if (unsaved.size > 0) void saveAnswers();
}

function scheduleSave(delay = SAVE_AFTER_MS): void {
  clearTimeout(timer);
  timer = setTimeout(() => void saveAnswers(), delay);
}

/** Keeps all valid answers on the server. Resolves once nothing is on its way. */
export function saveAnswers(): Promise<void> {
  clearTimeout(timer);
  saving = saving.then(() => save());
  return saving;
}

/** @param isLeft whether the page is left: nothing is read first, and what has waited for long stays on this device */
async function save(isLeft = false): Promise<void> {
  const mayBeOlder = waited.size > 0 && Date.now() - readAt > READ_AGAIN_MS;
  if (mayBeOlder && !isLeft) {
    const response = await fetchRequest(token);
    if (waitsAfter(response)) return;
    const read = toRequestState(response);
    if (read.kind === "ready") loadAnswers(token, read.request.documents);
    onResponse(response);
  }
  const state = store.get();
  const sent = [...unsaved.values()].flatMap((document) => {
    if (mayBeOlder && isLeft && waited.has(document.id)) return [];
    const { typed } = answerOf(state, document);
    const read = readTyped(document, typed);
    return "answer" in read ? [{ document, typed, answer: read.answer }] : [];
  });
  if (sent.length === 0) return;
  const answers = Object.fromEntries(sent.map(({ document, answer }) => [document.id, answer]));
  const body = JSON.stringify({ answers });
  for (const { document, answer } of sent) {
    const before = known.get(document.id) ?? [];
    known.set(document.id, [...new Set([...before, serverAnswer(document, answer)])]);
  }
  const response = await callServer(`${submissionUrl(token)}/answers`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body,
    keepalive: body.length <= MAX_KEEPALIVE,
  });
  if (waitsAfter(response)) {
    for (const { document, typed } of sent)
      if (answerOf(store.get(), document).typed === typed) waited.add(document.id);
    return;
  }
  await new Promise<void>(afterPress);
  const refused = refusedIn(
    response,
    sent.map(({ document }) => document),
  );
  const isDone = ({ id }: RequestedDocument) => response.status === 204 || refused.includes(id);
  const { entries } = store.get();
  const next = new Map(entries);
  for (const { document, typed, answer } of sent) {
    const entry = entries.get(document.id) ?? EMPTY;
    // Typed on meanwhile, or not kept because of another one or of the link.
    if (entry.typed !== typed || !isDone(document)) continue;
    forget(document.id);
    if (response.status === 400) next.set(document.id, { ...entry, problem: "questionChanged" });
    if (response.status !== 204) continue;
    // In place of one that is cleared, the server shows that of the last submission.
    const shown = answer === null ? [answer, answerIn(document)] : [answer];
    known.set(
      document.id,
      shown.map((one) => serverAnswer(document, one)),
    );
    const isKept = document.confidential && answer !== null;
    const isShown = !isKept || document.id === typedIn;
    next.set(document.id, { ...entry, typed: isShown ? typed : "", isSaved: true, isKept });
  }
  storeWaiting(sent.flatMap(({ document }) => (isDone(document) ? document.id : [])));
  set(next, response.status === 204 && unsaved.size === 0);
  if (refused.length > 0 && unsaved.size > 0) scheduleSave();
  if (response.status !== 204) onResponse(response);
}

/** Whether there is no response that says anything yet: it is sent again later. */
function waitsAfter({ status, retryAfter }: ApiResponse): boolean {
  const waits = status === 0 || status >= 429;
  if (waits) scheduleSave(Math.max(RETRY_MS, (retryAfter ?? 0) * 1000));
  return waits;
}

/** The answers that fit here, but not on the server, or that were received meanwhile. */
function refusedIn(response: ApiResponse, sent: readonly RequestedDocument[]): number[] {
  const { issues, params }: Record<string, unknown> = isRecord(response.body) ? response.body : {};
  const paths = Array.isArray(issues) ? issues.map((issue) => isRecord(issue) && issue.path) : [];
  const isAnswered = codeOf(response) === ("document_answered" satisfies ErrorCode);
  const received = isAnswered && isRecord(params) ? params.document : undefined;
  return sent.flatMap(({ id, name }) => (paths.includes(`answers.${id}`) || name === received ? id : []));
}

if (typeof addEventListener === "function") {
  addEventListener("online", () => unsaved.size > 0 && void saveAnswers());
  // At once: the response that others wait for may not come any more.
  addEventListener("pagehide", () => unsaved.size > 0 && void save(true));
}

/** The questions that are asked whose earlier answer is neither confirmed nor replaced. */
export const offeredIn = (asked: ReadonlySet<RequestedDocument>, state: State): RequestedDocument[] =>
  [...asked].filter((document) => {
    const { typed, late } = answerOf(state, document);
    return document.offered && typed.length === 0 && !late;
  });

/** The value of an answer that is offered, kept at once. */
export function acceptOffered(document: RequestedDocument): void {
  const { late } = answerOf(store.get(), document);
  if (!late && !document.offered) return;
  dismissToast();
  typeAnswer(document, late ? late.typed : typedOf(document, document.offered?.value ?? null));
  leaveAnswer(document);
}

/** Late answers of which Submit has said that they are not sent. */
const saidLate = new Set<number>();

/** Whether there is an answer that was typed here, is not sent, and is not known to be: once for each. */
export function takeLate(documents: readonly RequestedDocument[]): boolean {
  const state = store.get();
  const late = [...askedOf(documents, state)].filter(
    (document) => answerOf(state, document).late && !saidLate.has(document.id),
  );
  for (const { id } of late) saidLate.add(id);
  return late.length > 0;
}

/**
 * The documents that have to be complete: those with files that are asked, and the questions without a right answer, which
 * are marked.
 */
export function incompleteOf(
  documents: readonly RequestedDocument[],
  hasReason: (document: RequestedDocument) => boolean,
  hasFiles: (document: RequestedDocument) => boolean,
): RequestedDocument[] {
  const state = store.get();
  return [...askedOf(documents, state)].flatMap((document) => {
    if (!isQuestion(document)) return [document, ...missingDay(state, document, hasFiles)];
    if (isReceived(document)) return [];
    const { typed, isKept, problem: shown } = answerOf(state, document);
    const isHalfTyped = shown === "invalidDate" && isEmpty(typed);
    const read = isHalfTyped ? { problem: shown } : readTyped(document, typed);
    const isMissing = document.required && isEmpty(typed) && !isKept && !hasReason(document);
    const problem = "problem" in read ? read.problem : isMissing ? ("answerRequired" as const) : null;
    if (problem) change(document.id, { problem });
    return problem ? { ...document, required: true, reasonAllowed: false } : [];
  });
}

/** Another document, without files, in place of the day that a file lacks, which is marked. */
function missingDay(
  state: State,
  document: RequestedDocument,
  hasFiles: (document: RequestedDocument) => boolean,
): RequestedDocument[] {
  if (!document.asksValidUntil || isReceived(document) || !hasFiles(document)) return [];
  const read = readTyped(document, answerOf(state, document).typed);
  const problem = "problem" in read ? read.problem : read.answer === null ? "answerRequired" : null;
  if (problem) change(document.id, { problem });
  return problem ? [{ ...document, id: -document.id, required: true, reasonAllowed: false }] : [];
}

/**
 * What is submitted: each answer that is asked and not kept on the server, and what was cleared here.
 * @param documents as the server has them now
 */
export function answersToSubmit(documents: readonly RequestedDocument[]): Record<string, Answer | null> {
  const state = store.get();
  const answers = [...askedOf(documents, state)].flatMap((document) => {
    if (!isTyped(document) || isReceived(document)) return [];
    const read = readTyped(document, answerOf(state, document).typed);
    if (!("answer" in read)) return [];
    // Otherwise the earlier one would stay, and what depends on it would be asked.
    const isClearedChoice = document.answer !== null && choicesOf(document).length > 0;
    const isKept = document.answered || (read.answer === null && !isClearedChoice);
    return isKept && !unsaved.has(document.id) ? [] : [[document.id, read.answer]];
  });
  return Object.fromEntries(answers);
}

/** The answers that the receipt lists: of a confidential one, that it was given. */
export function answersForReceipt(documents: readonly RequestedDocument[]): SubmittedAnswer[] {
  const state = store.get();
  return [...askedOf(documents, state)].flatMap((document) => {
    const { name, kind, format, confidential } = document;
    if (!isQuestion(document) || isReceived(document)) return [];
    const { typed, isKept } = answerOf(state, document);
    const read = readTyped(document, typed);
    const answer = "answer" in read ? read.answer : null;
    if (answer === null && !isKept) return [];
    return [{ name, kind, format, answer: confidential ? null : answer }];
  });
}

/** Whether there is any answer to submit. */
export const hasAnswers = (documents: readonly RequestedDocument[]): boolean =>
  documents.some((document) => {
    const { typed, isKept } = answerOf(store.get(), document);
    return isQuestion(document) && !isReceived(document) && (isKept || !isEmpty(typed));
  });
