import { describe, expect, test } from "bun:test";
import germanFirst from "../../locales/de/submit.json";
import germanSteps from "../../locales/de/submit-steps.json";
import english from "../../locales/en/submit.json";
import { acceptAttribute, checkFile, fileTypeList } from "../../web/features/submit/files/check-file";
import { failureText } from "../../web/features/submit/request/failure-text";
import { requestorName, toGoneState, toRequestState } from "../../web/features/submit/request/request-state";
import { storedDescription, storedTitle } from "../../web/features/submit/request/request-texts";
import { callServer, tokenFromPath } from "../../web/features/submit/request/submission-api";
import { translate } from "../../web/features/submit/translation/use-texts";
import { lookUp } from "../../web/lib/texts";

const german = { ...germanFirst, ...germanSteps };

const response = (status: number, body: unknown = null, retryAfter: number | null = null) => ({
  status,
  body,
  retryAfter,
});

describe("a file", () => {
  const document = { allowedFileTypes: [".PDF", "jpg "] };

  test.each([
    ["a.pdf", 1, undefined],
    ["A.JPG", 10, undefined],
    ["a.jpeg", 10, undefined],
    ["a.JFIF", 10, undefined],
    ["a.exe", 1, "type"],
    ["pdf", 1, "type"],
    ["a.pdf", 0, "empty"],
    ["a.pdf", 11, "size"],
  ])("%s of %i bytes is checked by the server's rules", (name, size, kind) => {
    expect(checkFile({ name, size }, document, 10)?.kind).toBe(kind as "type");
  });

  test("is accepted by extension, and an image also by media type, which offers the camera", () => {
    expect(acceptAttribute(document)).toBe(".pdf,.jpg,.jpeg,.jpe,.jfif,.pjpeg,.pjp,image/jpeg");
    expect(acceptAttribute({ allowedFileTypes: ["tiff"] })).toBe(".tiff,.tif");
    expect(acceptAttribute({ allowedFileTypes: ["pdf", "doc", "docx"] })).toBe(".pdf,.doc,.docx");
    expect(fileTypeList(document)).toBe("PDF, JPG");
  });
});

describe("a response", () => {
  test("of 410 is an expired submission only where it says so", () => {
    const unbranded = { brand: null, language: null };
    const completed = { message: "x has expired: done", code: "completed" };
    expect(toGoneState(response(410, completed))).toEqual({
      kind: "completed",
      ...unbranded,
      submission: null,
    });
    const submission = {
      submittedAt: "2026-03-14T09:26:53.000Z",
      files: [{ documentName: "CV", fileName: "cv.pdf", fileSize: 3 }],
    };
    expect(toGoneState(response(410, { ...completed, ...submission }))).toEqual({
      kind: "completed",
      ...unbranded,
      submission,
    });
    const brand = { name: "Lovelace Tax", color: "#ffd400", footer: null, logo: null };
    expect(toGoneState(response(410, { ...completed, brand, language: "fr" }))).toMatchObject({
      brand,
      language: "fr",
    });
    expect(toGoneState(response(410, { message: "x has expired" }))).toMatchObject({ kind: "completed" });
    expect(toGoneState(response(410, { message: "Gone" }))).toBeNull();
    const params = { date: "2026-03-01", name: "Ada", email: "ada@example.com" };
    expect(toRequestState(response(410, { message: "has expired", code: "expired", params }))).toEqual({
      kind: "expired",
      ...unbranded,
      ...params,
      expiresAt: null,
      timeZone: null,
    });
  });

  test("of 200 needs no more of a document than the specification promises", () => {
    const documents = [{ name: "CV" }, { name: "Photo", id: 7 }];
    expect(toRequestState(response(200, { documents, user: {} }))).toMatchObject({
      kind: "ready",
      request: {
        documents: [
          { name: "CV", id: 0, kind: "file", files: [], attachments: [] },
          { name: "Photo", id: 7 },
        ],
      },
    });
  });

  test("of any other kind is a failure, which is about the link only with a code of the server", () => {
    for (const [status, body, known] of [
      [404, { message: "x", code: "submission_not_found" }, 404],
      [500, { message: "x", code: "internal" }, 500],
      [404, { message: "no Route matched" }, 0],
      [404, { code: "404", message: "Not Found" }, 0],
      [410, "<html>", 0],
      [200, { documents: 1 }, 0],
      [0, null, 0],
    ] as const)
      expect(toRequestState(response(status, body))).toMatchObject({
        kind: "failed",
        response: { status: known },
      });
  });

  test.each([
    [404, "404 page not found", 0],
    [400, "<html>", 0],
    [401, "", 0],
    [403, '{"message":"Forbidden"}', 0],
    [410, "Gone", 0],
    [413, "<html>", 0],
    [501, '{"error":{"code":"NOT_IMPLEMENTED"}}', 0],
    [502, "<html>", 0],
    [200, "<html>", 0],
    [200, '{"documents":[]}', 200],
    [204, "", 204],
    [404, '{"message":"x","code":"submission_not_found"}', 404],
    [410, '{"message":"This submission has expired"}', 410],
    [410, "This submission has expired", 410],
    [410, "", 0],
    [410, "<html>Your session has expired", 0],
    [500, "Internal Server Error", 500],
    [500, '{"message":"Something broke"}', 500],
    [500, "<html>", 0],
    [500, "", 0],
  ])("of %i with the body %j has the status %i for the page", async (status, body, known) => {
    const server = Bun.serve({
      port: 0,
      fetch: () => new Response(status === 204 ? null : body, { status }),
    });
    const { status: read } = await callServer(server.url.href);
    await server.stop(true);
    expect(read).toBe(known);
  });

  test("is shown in the reader's language if the code is known, otherwise as the server's text", () => {
    const body = { message: "The file for “CV” is empty", code: "empty_file", params: { document: "CV" } };
    expect(failureText(german, response(400, body))).toBe("Die Datei für „CV“ ist leer.");
    expect(failureText(german, response(400, { ...body, params: undefined }))).toBe(body.message);
    expect(failureText(german, response(400, { message: "New", code: "brand_new" }))).toBe("New");
    expect(failureText(english, response(429, null, 61))).toContain("in 2 min.");
    expect(failureText(english, response(502, "<html>"))).toBe(english.errors.server);
    expect(failureText(english, response(0))).toBe(english.errors.network);
  });
});

describe("the page", () => {
  test("shows the requestor's name, else the company, else nothing", () => {
    const nobody = {
      firstName: null,
      lastName: null,
      companyName: null,
      email: "a@example.com",
      emailVerified: true,
      hasPicture: false,
    };
    expect(requestorName({ ...nobody, firstName: "Ada", lastName: "Lovelace" })).toBe("Ada Lovelace");
    expect(requestorName({ ...nobody, companyName: "Engines" })).toBe("Engines");
    expect(requestorName(nobody)).toBeNull();
  });

  test("reads its texts by dotted keys and fills their placeholders", () => {
    expect(translate(english, "openUntil", { date: "3 May" })).toBe("Link works until 3 May");
    expect(lookUp(english, "steps.nothing")).toBeUndefined();
    expect(lookUp(english, "steps")).toBeUndefined();
  });

  test("reads the token from the URL, whatever it contains", () => {
    expect(tokenFromPath("/submit/abc_-1")).toBe("abc_-1");
    expect(tokenFromPath("/submit/a%2Fb/")).toBe("a/b");
    expect(tokenFromPath("/submit/%E0%A4%A")).toBe("%E0%A4%A");
    expect(tokenFromPath("/submit")).toBe("");
  });
});

test("title and description that are stored in English are shown in the recipient's language", () => {
  const t: Parameters<typeof storedTitle>[1] = (key, values) => translate(german, key, values);
  expect(storedTitle({ title: "Document Request for Ada" }, t)).toBe("Dokumentenanfrage für Ada");
  expect(storedDescription({ description: "Please upload the requested documents." }, t)).toBe(
    "Bitte laden Sie die angeforderten Dokumente hoch.",
  );
  expect(storedDescription({ description: "Your passport, please" }, t)).toBe("Your passport, please");
});
