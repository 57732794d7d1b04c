import { describe, expect, test } from "bun:test";
import { checkFiles, filesOf } from "../../web/features/submit/files/document-files";
import type { RecipientRequest, RequestedDocument } from "../../web/features/submit/request/submission-api";
import { submissionOutcome } from "../../web/features/submit/upload/submission-outcome";
import {
  INITIAL_STATE,
  type WizardAction,
  type WizardState,
  wizardReducer,
} from "../../web/features/submit/wizard/wizard-state";

const requested = (name: string, required: boolean) =>
  ({ name, description: null, required, allowedFileTypes: ["pdf"] }) as unknown as RequestedDocument;

const PASSPORT = requested("Passport", true);
const LETTER = requested("Letter", false);
const DOCUMENTS = [PASSPORT, LETTER];
const file = (name: string, text = "x") => new File([text], name);

/** The state after these actions, from the beginning or from `start`. */
const after = (actions: readonly WizardAction[], start: WizardState = INITIAL_STATE) =>
  actions.reduce(wizardReducer, start);

const entered = { name: "Charles", email: "charles@example.com" };
const chosen = (document: RequestedDocument, id: string, name: string): WizardAction => ({
  type: "files chosen",
  document,
  files: [{ id, file: file(name) }],
});

const toDocuments: WizardAction[] = [{ type: "information submitted", information: entered }];
const toReview: WizardAction[] = [
  ...toDocuments,
  chosen(PASSPORT, "1", "a.pdf"),
  { type: "documents submitted", documents: DOCUMENTS },
];

describe("the steps", () => {
  test("a required document that was received or accepted needs no file, one that was returned does", () => {
    const inState = (state: string) => ({ ...PASSPORT, state }) as RequestedDocument;
    const stepAfter = (state: string) =>
      after([...toDocuments, { type: "documents submitted", documents: [inState(state), LETTER] }]).step;
    expect(["received", "accepted", "returned", "open"].map(stepAfter)).toEqual([2, 2, 1, 1]);
  });

  test("information is trimmed, and a blank field keeps the first step", () => {
    const blank = after([{ type: "information submitted", information: { name: "  ", email: " a " } }]);
    expect(blank).toMatchObject({ step: 0, moved: false, information: { name: "", email: "a" } });
    expect(blank.blank).toEqual({ name: true, email: false });
    const filled = after([{ type: "information submitted", information: entered }], blank);
    expect(filled).toMatchObject({ step: 1, moved: true, blank: { name: false, email: false } });
  });

  test("a required document without a file is marked and keeps the second step", () => {
    const state = after([...toDocuments, { type: "documents submitted", documents: DOCUMENTS }]);
    expect(state.step).toBe(1);
    expect(filesOf(state.documents, "Passport").problem?.kind).toBe("missing");
    expect(filesOf(state.documents, "Letter").problem).toBeNull();
    expect(after(toReview).step).toBe(2);
  });

  test("a document that became required leads back to the second step", () => {
    const state = after(
      [{ type: "documents reloaded", documents: [PASSPORT, { ...LETTER, required: true }] }],
      after(toReview),
    );
    expect(state.step).toBe(1);
    expect(filesOf(state.documents, "Letter").problem?.kind).toBe("missing");
    expect(after([{ type: "documents reloaded", documents: DOCUMENTS }], after(toReview)).step).toBe(2);
  });

  test("a reload keeps the second step, and says that files were lost until one is chosen", () => {
    const restored = after([{ type: "progress restored", step: 2, information: entered, filesLost: true }]);
    expect(restored).toMatchObject({ step: 1, moved: false, filesLost: true });
    expect(after([chosen(PASSPORT, "1", "a.pdf")], restored).filesLost).toBe(false);
  });

  test("going back stops at the first step", () => {
    expect(after([...toReview, { type: "step back" }]).step).toBe(1);
    expect(after([{ type: "step back" }]).step).toBe(0);
  });
});

describe("the files of a document", () => {
  test("a second choice replaces the first and clears its problem", () => {
    const state = after([
      chosen(PASSPORT, "1", "a.pdf"),
      {
        type: "choice refused",
        document: "Passport",
        problem: { kind: "type", fileName: "b.exe", fileSize: 1 },
      },
      chosen(PASSPORT, "2", "c.pdf"),
    ]);
    const { files, problem } = filesOf(state.documents, "Passport");
    expect(files.map(({ file }) => file.name)).toEqual(["c.pdf"]);
    expect(problem).toBeNull();
    const removed = after([{ type: "file removed", document: "Passport", id: "2" }], state);
    expect(filesOf(removed.documents, "Passport").files).toEqual([]);
  });

  test("a refused choice keeps the file that was there", () => {
    const state = after([
      chosen(PASSPORT, "1", "a.pdf"),
      {
        type: "choice refused",
        document: "Passport",
        problem: { kind: "type", fileName: "b.exe", fileSize: 1 },
      },
    ]);
    expect(filesOf(state.documents, "Passport").files).toHaveLength(1);
    expect(checkFiles([file("a.pdf"), file("b.pdf")], PASSPORT, 10)?.kind).toBe("several");
    expect(checkFiles([file("b.exe")], PASSPORT, 10)?.kind).toBe("type");
    expect(checkFiles([file("a.pdf")], PASSPORT, 10)).toBeNull();
  });

  test("files that can no longer be read are removed and marked", () => {
    const state = after([...toReview, chosen(LETTER, "2", "b.pdf")]);
    const lost = after([{ type: "files unreadable", ids: new Set(["2"]) }], state);
    expect(lost.step).toBe(1);
    expect(filesOf(lost.documents, "Letter")).toMatchObject({ files: [], problem: { kind: "gone" } });
    expect(filesOf(lost.documents, "Passport").files).toHaveLength(1);
  });
});

describe("an upload", () => {
  test("is uploading until all bytes are sent, and ready again after a failure", () => {
    const started = after([{ type: "upload started" }], after(toReview));
    const status = (state: WizardState) => filesOf(state.documents, "Passport").files[0]?.status;
    expect([started.sending, status(started)]).toEqual([true, "uploading"]);
    const progressed = after([{ type: "upload progressed", uploadedBytes: new Map([["1", 1]]) }], started);
    expect(status(progressed)).toBe("uploaded");
    const failure = { status: 503, body: null, retryAfter: null };
    const failed = after([{ type: "upload ended", failure }], progressed);
    expect([failed.sending, failed.failure, status(failed)]).toEqual([false, failure, "ready"]);
  });

  test("that the server refuses for one file marks its card and asks for another file", () => {
    const state = after(
      [{ type: "file refused", document: "Passport", problem: "content" }],
      after(toReview),
    );
    expect(state).toMatchObject({ step: 1, failure: null });
    expect(filesOf(state.documents, "Passport")).toEqual({
      files: [],
      problem: { kind: "content", fileName: "a.pdf", fileSize: 1 },
    });
  });
});

describe("the server's answer to a submission", () => {
  const user = { firstName: "Ada", lastName: null, companyName: null, email: "ada@example.com" };
  const request = { documents: DOCUMENTS, user, expirationDate: "2026-03-01" } as unknown as RecipientRequest;
  const outcome = (status: number, body: unknown) =>
    submissionOutcome({ status, body, retryAfter: null }, request);

  test.each([
    [201, {}, "accepted"],
    [404, {}, "closed"],
    [410, { message: "This submission has expired", code: "expired" }, "closed"],
    [400, { code: "missing_documents" }, "outdated"],
    [409, { code: "envelope_changed" }, "outdated"],
    [415, { code: "file_content_mismatch", params: { document: "Passport" } }, "file refused"],
    [400, { code: "infected_file", params: { document: "Passport" } }, "file refused"],
    [415, { code: "file_content_mismatch", params: { document: "Another" } }, "failed"],
    [503, { code: "unavailable" }, "failed"],
    [502, "<html>", "failed"],
    [0, null, "failed"],
  ] as const)("%i %j is %s", (status, body, kind) => {
    expect(outcome(status, body).kind).toBe(kind);
  });

  test("of an expired link is completed with the date and the requestor that the page knows", () => {
    const state = { kind: "expired", date: "2026-03-01", name: "Ada" };
    expect(outcome(410, { message: "has expired", code: "expired" })).toEqual({
      kind: "closed",
      state,
    } as never);
  });
});
