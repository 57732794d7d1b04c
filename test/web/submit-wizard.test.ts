import { describe, expect, test } from "bun:test";
import { checkFiles } from "../../web/features/submit/files/check-file";
import {
  fileProblem,
  filesOf,
  lacksRequired,
  otherWithFile,
} from "../../web/features/submit/files/document-files";
import type { RecipientRequest, RequestedDocument } from "../../web/features/submit/request/submission-api";
import { isInSync, submissionOutcome } from "../../web/features/submit/upload/submit";
import {
  UPLOAD_RETRIES,
  uploadOutcome,
  uploadProblem,
} from "../../web/features/submit/upload/upload-outcome";
import {
  INITIAL_STATE,
  type WizardAction,
  type WizardState,
  wizardReducer,
} from "../../web/features/submit/wizard/wizard-state";
import { retryDelay } from "../../worker/contract/retry-policy";

type StoredFile = RequestedDocument["files"][number];

const requested = (id: number, name: string, more: object = {}) =>
  ({
    id,
    name,
    description: null,
    required: false,
    multiple: false,
    allowedFileTypes: ["pdf"],
    state: "open",
    files: [],
    ...more,
  }) as unknown as RequestedDocument;

const PASSPORT = requested(1, "Passport", { required: true });
const LETTER = requested(2, "Letter");
const PAYSLIPS = requested(3, "Payslips", { multiple: true });
const DOCUMENTS = [PASSPORT, LETTER, PAYSLIPS];
const file = (name: string, text = "x") => new File([text], name);

/** The state after these actions, from the beginning or from `start`. */
const after = (actions: readonly WizardAction[], start: WizardState = INITIAL_STATE) =>
  actions.reduce(wizardReducer, start);

const information = { name: "Charles", email: "charles@example.com" };
const chosen = (document: RequestedDocument, id: string, name: string): WizardAction => ({
  type: "file chosen",
  document,
  id,
  file: file(name),
});
const stored = (document: RequestedDocument, ...files: Partial<StoredFile>[]): WizardAction => ({
  type: "request loaded",
  recipient: { name: "", email: "" },
  documents: DOCUMENTS.map((one) =>
    one === document
      ? {
          ...one,
          files: files.map((file) => ({
            id: "s",
            fileName: "s.pdf",
            fileSize: 10,
            uploadedBytes: 10,
            ...file,
          })),
        }
      : one,
  ),
});
const submitted: WizardAction = { type: "documents submitted", documents: DOCUMENTS };
const namesOf = (state: WizardState, { id }: RequestedDocument) =>
  filesOf(state.documents, id).files.map(({ name, status }) => [name, status]);

const toDocuments: WizardAction[] = [{ type: "information submitted", information }];
const toReview: WizardAction[] = [...toDocuments, chosen(PASSPORT, "1", "a.pdf"), submitted];

describe("the steps", () => {
  test("a required document that was received or accepted needs no file, one that was returned does", () => {
    const inState = (state: string) => ({ ...PASSPORT, state }) as RequestedDocument;
    const stepAfter = (state: string) =>
      after([...toDocuments, { type: "documents submitted", documents: [inState(state), LETTER] }]).step;
    expect(["received", "accepted", "returned", "open"].map(stepAfter)).toEqual([2, 2, 1, 1]);
  });

  test("information is trimmed, and a blank field stays on the first step", () => {
    const email = " ada@example.com ";
    const blank = after([{ type: "information submitted", information: { name: "  ", email } }]);
    expect(blank).toMatchObject({ step: 0, moved: false, information: { name: "", email: email.trim() } });
    expect(blank.invalid).toEqual({ name: "nameMissing" });
    const filled = after([{ type: "information submitted", information }], blank);
    expect(filled).toMatchObject({ step: 1, moved: true, invalid: {} });
  });

  test.each([
    ["", "emailMissing"],
    [" ", "emailMissing"],
    ["x", "emailInvalid"],
    ["jonas@example", "emailInvalid"],
    ["Jonas <jonas@example.com>", undefined],
    ["jörg@müller.de", undefined],
    ["用户@例子.中国", undefined],
  ] as const)("the email %j leads to the second step, unless it is %s", (email, problem) => {
    const state = after([{ type: "information submitted", information: { name: "Jonas", email } }]);
    expect(state).toMatchObject({ step: problem ? 0 : 1, invalid: problem ? { email: problem } : {} });
  });

  test("name and email are those of the request, until the recipient types others", () => {
    const loaded: WizardAction = {
      type: "request loaded",
      recipient: { name: "Rita Recipient", email: "rita@example.com" },
      documents: DOCUMENTS,
    };
    const empty = { name: "", email: "" };
    const early = after([{ type: "information submitted", information: empty }]);
    expect(after([loaded], early)).toMatchObject({
      information: { name: "Rita Recipient", email: "rita@example.com" },
      invalid: {},
    });
    const name = {
      type: "information changed",
      information: { ...empty, name: "R. R." },
      field: "name",
    } as const;
    expect(after([name, loaded]).information).toEqual({ name: "R. R.", email: "rita@example.com" });
  });

  test("a field that does not show the request's name yet does not delete it, and one that is emptied does", () => {
    const recipient = { name: "Rita Recipient", email: "rita@example.com" };
    const loaded: WizardAction = { type: "request loaded", recipient, documents: DOCUMENTS };
    const information = { name: "", email: "r@example.com" };
    const typed = (field: string) => after([loaded, { type: "information changed", information, field }]);
    expect(typed("email").information).toEqual({ name: "Rita Recipient", email: "r@example.com" });
    expect(typed("name").information).toEqual(information);
  });

  test("the same file for two documents is noticed by its name and size", () => {
    const { documents } = after([
      chosen(PASSPORT, "1", "scan.pdf"),
      chosen(PAYSLIPS, "2", "scan.pdf"),
      chosen(LETTER, "3", "letter.pdf"),
    ]);
    const otherWith = ({ id }: RequestedDocument) =>
      filesOf(documents, id).files.map((entry) => otherWithFile(documents, DOCUMENTS, id, entry)?.name);
    expect([PASSPORT, PAYSLIPS, LETTER].map(otherWith)).toEqual([
      [PAYSLIPS.name],
      [PASSPORT.name],
      [undefined],
    ]);
  });

  test("a document that was skipped can be answered once it is required or received", () => {
    const skipped = after([
      ...toDocuments,
      { type: "document skipped", documentId: LETTER.id, answer: { skipped: true, skipReason: "" } },
    ]);
    const reload = (change: Partial<RequestedDocument>) =>
      filesOf(
        after(
          [
            {
              type: "request loaded",
              recipient: { name: "", email: "" },
              documents: [PASSPORT, { ...LETTER, ...change }],
            },
          ],
          skipped,
        ).documents,
        LETTER.id,
      ).skipped;
    expect([
      reload({}),
      reload({ required: true, reasonAllowed: false }),
      reload({ required: true, reasonAllowed: true }),
      reload({ state: "received" }),
    ]).toEqual([true, false, true, false]);
  });

  test("a file from another device solves what was missing, and each rejected file is named", () => {
    const marked = after([...toDocuments, submitted]);
    expect(filesOf(after([stored(PASSPORT, {})], marked).documents, PASSPORT.id).problem).toBeNull();
    const failed = (id: string, name: string): WizardAction => ({
      type: "file failed",
      id,
      problem: fileProblem("content", { name, size: 1 }),
    });
    const rejected = after([
      chosen(PAYSLIPS, "1", "a.pdf"),
      chosen(PAYSLIPS, "2", "b.pdf"),
      failed("1", "a.pdf"),
      failed("2", "b.pdf"),
    ]);
    expect(filesOf(rejected.documents, PAYSLIPS.id).problem).toMatchObject({
      fileName: "b.pdf",
      more: { fileName: "a.pdf" },
    });
  });

  test("a required document without a file is marked and stays on the second step", () => {
    const state = after([...toDocuments, submitted]);
    expect(state.step).toBe(1);
    expect(filesOf(state.documents, PASSPORT.id).problem?.kind).toBe("missing");
    expect(filesOf(state.documents, LETTER.id).problem).toBeNull();
  });

  test("a field loses its message when it is corrected, and keeps it otherwise", () => {
    const wrong = { name: "", email: "" };
    const marked = after([{ type: "information submitted", information: wrong }]);
    expect(marked.invalid).toEqual({ name: "nameMissing", email: "emailMissing" });
    const typed = after(
      [{ type: "information changed", information: { ...wrong, name: "C" }, field: "name" }],
      marked,
    );
    expect(typed.invalid).toEqual({ email: "emailMissing" });
  });

  test("an unfinished file is required only if its document is", () => {
    const unfinished = (document: RequestedDocument) =>
      after([
        ...toDocuments,
        chosen(PASSPORT, "1", "a.pdf"),
        stored(document, { uploadedBytes: 5 }),
        submitted,
      ]);
    const lacks = (document: RequestedDocument) => lacksRequired(unfinished(document).documents, DOCUMENTS);
    expect([unfinished(LETTER).step, lacks(LETTER), lacks(PASSPORT)]).toEqual([1, false, true]);
  });

  test("a required document without a file needs the reason that it accepts instead", () => {
    const deed = { ...PASSPORT, reasonAllowed: true };
    const skip = (skipReason: string): WizardAction => ({
      type: "document skipped",
      documentId: deed.id,
      answer: { skipped: true, skipReason },
    });
    const leave: WizardAction = { type: "documents submitted", documents: [deed] };
    const blank = after([...toDocuments, skip(" \u200b\u3164"), leave]);
    expect([blank.step, filesOf(blank.documents, deed.id).problem?.kind]).toEqual([1, "noReason"]);
    const filled = after([skip("It burnt")], blank);
    expect(filesOf(filled.documents, deed.id).problem).toBeNull();
    expect(after([leave], filled).step).toBe(2);
    const before: WizardAction = {
      type: "documents submitted",
      documents: [{ ...deed, state: "skipped" } as RequestedDocument],
    };
    expect(after([...toDocuments, before]).step).toBe(2);
    expect(after([...toDocuments, skip("It burnt"), submitted]).step).toBe(1);
  });

  test("a file that is still uploading counts, one that must be chosen again does not", () => {
    expect(after(toReview).step).toBe(2);
    const state = after([stored(LETTER, { uploadedBytes: 6 }), ...toReview]);
    expect(state.step).toBe(1);
    expect(filesOf(state.documents, LETTER.id).problem).toMatchObject({
      kind: "unfinished",
      fileName: "s.pdf",
    });
  });

  test("a missing document leads back from the last step", () => {
    const state = after([...toReview, { type: "file removed", id: "1" }, submitted]);
    expect([state.step, filesOf(state.documents, PASSPORT.id).problem?.kind]).toEqual([1, "missing"]);
  });

  test("a reload restores the second step and the input", () => {
    const typed = { information, note: "Hello", skipped: [[LETTER.id, "lost"]] as const };
    const restored = after([{ type: "progress restored", step: 2, typed }]);
    expect(restored).toMatchObject({ step: 1, moved: false, note: "Hello", information });
    expect(filesOf(restored.documents, LETTER.id)).toMatchObject({ skipped: true, skipReason: "lost" });
    const uploadedElsewhere = after([stored(LETTER, {})], restored);
    expect(filesOf(uploadedElsewhere.documents, LETTER.id).skipped).toBe(false);
  });

  test("a later visit opens at the last step again if nothing is missing", () => {
    const typed = { information, note: "", skipped: [] };
    const restored = after([{ type: "progress restored", step: 2, typed }]);
    expect(after([stored(PASSPORT, {})], restored).step).toBe(2);
    expect(after([stored(LETTER, {})], restored).step).toBe(1);
    expect(after([stored(LETTER, {}), stored(PASSPORT, {})], restored).step).toBe(1);
  });

  test("going back stops at the first step", () => {
    expect(after([...toReview, { type: "step back" }]).step).toBe(1);
    expect(after([{ type: "step back" }]).step).toBe(0);
  });
});

describe("the files of a document", () => {
  const rejected: WizardAction = {
    type: "choice rejected",
    documentId: PASSPORT.id,
    problem: { kind: "type", fileName: "b.exe", fileSize: 1 },
  };

  test("a second choice replaces the first, clears its problem and undoes the skip", () => {
    const skip = { type: "document skipped", documentId: LETTER.id } as const;
    const state = after([
      chosen(PASSPORT, "1", "a.pdf"),
      rejected,
      chosen(PASSPORT, "2", "c.pdf"),
      { ...skip, answer: { skipped: true, skipReason: "lost" } },
      chosen(LETTER, "3", "d.pdf"),
    ]);
    expect(namesOf(state, PASSPORT)).toEqual([["c.pdf", "queued"]]);
    expect(filesOf(state.documents, PASSPORT.id).problem).toBeNull();
    expect(filesOf(state.documents, LETTER.id)).toMatchObject({ skipped: false, skipReason: "" });
  });

  test("are added up to the twentieth if the document accepts several", () => {
    const state = after([chosen(PAYSLIPS, "1", "a.pdf"), chosen(PAYSLIPS, "2", "b.pdf")]);
    expect(namesOf(state, PAYSLIPS).map(([name]) => name)).toEqual(["a.pdf", "b.pdf"]);
    const files = [file("a.pdf"), file("b.exe"), file("c.pdf")];
    const check = (present: number) => checkFiles(files, PAYSLIPS, { maxFileSize: 10, present });
    expect(check(0)).toMatchObject({ accepted: [files[0], files[2]], problem: { kind: "type" } });
    expect(check(19).accepted).toEqual([files[0] as File]);
    const full = checkFiles([file("a.pdf")], PAYSLIPS, { maxFileSize: 10, present: 20 });
    expect(full).toMatchObject({ accepted: [], problem: { kind: "tooMany" } });
  });

  test("a rejected file does not replace the previous one", () => {
    const state = after([chosen(PASSPORT, "1", "a.pdf"), rejected]);
    expect(namesOf(state, PASSPORT)).toHaveLength(1);
    const check = (...files: File[]) => checkFiles(files, PASSPORT, { maxFileSize: 10, present: 0 });
    expect(check(file("a.pdf"), file("b.pdf"))).toMatchObject({ accepted: [], problem: { kind: "several" } });
    expect(check(file("b.exe")).problem?.kind).toBe("type");
    expect(check(file("a.pdf"))).toMatchObject({ problem: null });
  });

  test("a partly uploaded file continues when a file of its name and size is chosen", () => {
    const unfinished = after([
      stored(PAYSLIPS, { fileName: "a.pdf", fileSize: 1, uploadedBytes: 0 }, { id: "t" }),
    ]);
    expect(namesOf(unfinished, PAYSLIPS)).toEqual([
      ["a.pdf", "unfinished"],
      ["s.pdf", "uploaded"],
    ]);
    const resumed = after([chosen(PAYSLIPS, "1", "a.pdf")], unfinished);
    expect(namesOf(resumed, PAYSLIPS)).toEqual([
      ["a.pdf", "queued"],
      ["s.pdf", "uploaded"],
    ]);
    const other = after([chosen(PAYSLIPS, "1", "b.pdf")], unfinished);
    expect(namesOf(other, PAYSLIPS).map(([name]) => name)).toEqual(["a.pdf", "s.pdf", "b.pdf"]);
  });

  test("changes from another device are shown, and uploads running here stay", () => {
    const created: WizardAction = {
      type: "file changed",
      id: "1",
      change: { uploadId: "u", status: "uploading" },
    };
    const state = after([
      stored(LETTER, {}),
      chosen(PASSPORT, "1", "a.pdf"),
      created,
      stored(PAYSLIPS, { id: "t" }),
    ]);
    expect(DOCUMENTS.map((document) => namesOf(state, document))).toEqual([
      [["a.pdf", "uploading"]],
      [],
      [["s.pdf", "uploaded"]],
    ]);
  });

  test("the list matches the server only if both have the same complete files of the same documents", () => {
    const { documents } = after([stored(LETTER, { id: "t" })]);
    const having = (document: RequestedDocument, ...ids: string[]) =>
      DOCUMENTS.map((one) => ({
        ...one,
        files: one === document ? ids.map((id) => ({ id, fileName: "", fileSize: 1, uploadedBytes: 1 })) : [],
      }));
    expect(isInSync(documents, DOCUMENTS, having(LETTER, "t"))).toBe(true);
    for (const other of [having(LETTER), having(LETTER, "t", "u"), having(PAYSLIPS, "t"), [PASSPORT, LETTER]])
      expect(isInSync(documents, DOCUMENTS, other)).toBe(false);
  });
});

describe("an upload", () => {
  const progress = (uploadedBytes: number): WizardAction => ({
    type: "file changed",
    id: "1",
    change: { status: "uploading", uploadedBytes },
  });

  test("is uploading until the server has the whole file", () => {
    const sent = after([...toReview, progress(1)]);
    expect(namesOf(sent, PASSPORT)).toEqual([["a.pdf", "uploading"]]);
    const uploaded = after([{ type: "file uploaded", id: "1" }], sent);
    expect(namesOf(uploaded, PASSPORT)).toEqual([["a.pdf", "uploaded"]]);
    expect(uploaded.announcement).toEqual({ kind: "finished", file: "a.pdf" });
  });

  test("that the server rejects is removed and marks its card", () => {
    const problem = { kind: "content", fileName: "a.pdf", fileSize: 1 } as const;
    const state = after([...toReview, { type: "file failed", id: "1", problem }]);
    expect(filesOf(state.documents, PASSPORT.id)).toMatchObject({ files: [], problem });
  });

  test("that was removed meanwhile changes nothing", () => {
    const state = after([...toReview, { type: "file removed", id: "1" }]);
    expect(after([progress(1)], state).documents).toBe(state.documents);
  });

  const response = (status: number, code?: string) => ({
    status,
    body: code ? { code } : null,
    retryAfter: null,
  });

  test.each([
    [0, undefined, "retry"],
    [503, "unavailable", "retry"],
    [502, undefined, "retry"],
    [423, "upload_locked", "retry"],
    [429, "rate_limited", "retry"],
    [408, "upload_too_slow", "retry"],
    [409, "offset_mismatch", "retry"],
    [400, "upload_interrupted", "retry"],
    [404, "not_found", "gone"],
    [404, undefined, "gone"],
    [404, "submission_not_found", "closed"],
    [410, "completed", "closed"],
    [507, "storage_full", "rejected"],
    [415, "file_content_mismatch", "rejected"],
    [400, "infected_file", "rejected"],
    [409, "document_has_file", "rejected"],
  ] as const)("with the response %i %s is: %s", (status, code, outcome) => {
    expect(uploadOutcome(response(status, code))).toBe(outcome);
  });

  test("waits longer after each failure, at most 15 s, or for the server's Retry-After", () => {
    const delays = [1, 2, 3, 11].map((failures) => retryDelay(UPLOAD_RETRIES, failures));
    expect(delays).toEqual([500, 1000, 2000, 15_000]);
    expect(retryDelay(UPLOAD_RETRIES, 1, 20)).toBe(20_000);
    expect(retryDelay(UPLOAD_RETRIES, 1, 3600)).toBe(60_000);
  });

  test("that failed for good shows its reason", () => {
    const kindOf = (failure: Parameters<typeof uploadProblem>[0]) =>
      uploadProblem(failure, file("a.pdf")).kind;
    const rejectedBy = (status: number, code?: string) =>
      kindOf({ kind: "rejected", response: response(status, code) });
    expect(kindOf({ kind: "unreadable" })).toBe("gone");
    expect(kindOf({ kind: "gone", response: response(404) })).toBe("removed");
    expect([rejectedBy(415, "file_content_mismatch"), rejectedBy(400, "infected_file")]).toEqual([
      "content",
      "infected",
    ]);
    const named = { code: "file_content_mismatch", params: { picture: "WebP" } };
    const { kind, picture } = uploadProblem(
      { kind: "rejected", response: { status: 415, body: named, retryAfter: null } },
      file("a.jpg"),
    );
    expect([kind, picture]).toEqual(["picture", "WebP"]);
    // The response to HEAD, which has no body.
    expect(rejectedBy(400)).toBe("infected");
    expect(rejectedBy(507, "storage_full")).toBe("rejected");
  });
});

describe("the server's response to a submission", () => {
  const user = { firstName: "Ada", lastName: null, companyName: null, email: "ada@example.com" };
  const zone = { expiresAt: null, timeZone: "UTC" };
  const request = {
    documents: DOCUMENTS,
    user,
    expirationDate: "2026-03-01",
    ...zone,
  } as unknown as RecipientRequest;
  const outcome = (status: number, body: unknown) =>
    submissionOutcome({ status, body, retryAfter: null }, request);

  test.each([
    [201, {}, "accepted"],
    [404, { code: "submission_not_found" }, "closed"],
    [404, "404 page not found", "failed"],
    [201, "<html>", "failed"],
    [410, { message: "This submission has expired", code: "expired" }, "closed"],
    [400, { code: "missing_documents" }, "outdated"],
    [409, { code: "envelope_changed" }, "outdated"],
    [409, { code: "uploads_unfinished" }, "outdated"],
    [415, { code: "file_type_not_allowed", params: { document: "Passport" } }, "file rejected"],
    [415, { code: "file_type_not_allowed", params: { document: "Another" } }, "failed"],
    [503, { code: "unavailable" }, "failed"],
    [502, "<html>", "failed"],
    [0, null, "failed"],
  ] as const)("%i %j is %s", (status, body, kind) => {
    expect(outcome(status, body).kind).toBe(kind);
  });

  test("of a link that is completed is the receipt if the response to an earlier call was lost", () => {
    const body = { code: "completed", submittedAt: "2026-03-01T10:00:00.000Z", files: [] };
    const [first, second] = [false, true].map((wasLost) =>
      submissionOutcome({ status: 410, body, retryAfter: null }, request, wasLost),
    );
    expect(first?.kind).toBe("closed");
    expect(second).toEqual({
      kind: "accepted",
      submission: { submittedAt: body.submittedAt, files: [] },
    });
  });

  test("of an expired link is completed with the date and the requestor that the page knows", () => {
    const link = { brand: null, language: null };
    const state = { kind: "expired", ...link, date: "2026-03-01", name: "Ada", email: user.email, ...zone };
    expect(outcome(410, { message: "has expired", code: "expired" })).toEqual({
      kind: "closed",
      state,
    } as never);
  });

  test("is the receipt: the server's time and the files as they were recorded", () => {
    const submission = { documentName: "Passport", fileName: "a.pdf", fileSize: 1, sha256: "ab" };
    const body = { submittedAt: "2026-03-01T10:00:00.000Z", submissions: [submission, { fileName: 1 }] };
    expect(outcome(201, body)).toEqual({
      kind: "accepted",
      submission: { submittedAt: body.submittedAt, files: [submission] },
    });
  });
});
