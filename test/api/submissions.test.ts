import { expect, test } from "bun:test";
import { createClient, describeApi } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope, withoutDelivery } from "../support/api/envelopes";
import { docxFile, jpegFile, pdfFile, sha256 } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";

const DOCUMENTS = [
  { name: "Contract", required: true },
  { name: "Letter", required: true },
  { name: "Photo", allowedFileTypes: ["JPG", ".jpeg"], description: "Of the house" },
];

describeApi("submissions", (api) => {
  test("the link shows the documents, the deadline, and nothing else of the requestor than who they are", async () => {
    const owner = await api.signUp();
    await owner.patch("/api/user/profile", {
      firstName: "Ada",
      companyName: "Engines",
      phoneNumber: "+15551234567",
    });
    const envelope = await sendEnvelope(owner, {
      documents: DOCUMENTS,
      message: "Please",
      expirationDate: "2026-06-01",
    });
    const { status, body, headers } = await api.anonymous().get(linkOf(envelope));
    expect([status, headers.getSetCookie()]).toEqual([200, []]);
    expect(body).toMatchObject({
      subject: "Papers",
      description: "Please",
      expirationDate: "2026-06-01",
      expiresAt: "2026-06-01T23:59:59.999Z",
      timeZone: "UTC",
      documents: DOCUMENTS.map((document, index) => ({
        ...document,
        id: envelope.documents[index].id,
        state: "open",
        files: [],
      })),
      maxFileSize: 5 * 1024 * 1024,
    });
    expect(body.recipient).toEqual({ name: envelope.recipientName, email: envelope.customerEmail });
    expect(body.user).toEqual({
      firstName: "Ada",
      lastName: null,
      companyName: "Engines",
      email: owner.email,
      emailVerified: false,
      hasPicture: false,
    });
  });

  test("reading the link changes nothing, however often", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner);
    for (const method of ["GET", "GET", "HEAD"]) await api.anonymous().send(method, linkOf(envelope));
    expect(withoutDelivery((await owner.get(`/api/requests/${envelope.id}`)).body)).toEqual(
      withoutDelivery(envelope),
    );
  });

  test("the recipient's files reach the requestor byte for byte", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { documents: DOCUMENTS });
    const files = { Contract: pdfFile(), Letter: docxFile(), Photo: jpegFile("HOUSE.JPG") };
    const response = await api.anonymous().post(linkOf(envelope), form(files));
    expect([response.status, response.body]).toEqual([
      201,
      {
        status: "completed",
        submittedAt: "2026-03-14T09:26:53.000Z",
        submissions: await Promise.all(
          Object.entries(files).map(async ([documentName, file]) => ({
            documentName,
            fileName: file.name,
            fileSize: file.size,
            sha256: await sha256(file),
          })),
        ),
      },
    ]);
    const { body } = await owner.get(`/api/requests/${envelope.id}`);
    expect(body).toMatchObject({ status: "completed", completedAt: "2026-03-14T09:26:53.000Z" });
    for (const submission of body.submissions) {
      const sent = Object.entries(files).find(([name]) => name === submission.documentName)?.[1];
      if (!sent) throw new Error("Unknown document");
      expect(submission).toMatchObject({
        fileName: sent.name,
        fileSize: sent.size,
        mimeType: sent.type,
        sha256: await sha256(sent),
        superseded: false,
        withheld: null,
      });
      expect(submission.url).toMatch(/^\/uploads\/[\w-]{24}\.(pdf|docx|jpg)$/);
      expect(await sha256(await owner.bytes(submission.url))).toBe(await sha256(sent));
    }
    const again = await api.anonymous().get(linkOf(envelope));
    expect([again.status, again.body]).toEqual([
      410,
      {
        message: "This submission has expired: it has already been completed",
        code: "completed",
        submittedAt: "2026-03-14T09:26:53.000Z",
        files: Object.entries(files).map(([documentName, file]) => ({
          documentName,
          fileName: file.name,
          fileSize: file.size,
        })),
        brand: null,
      },
    ]);
    const twice = await api.anonymous().post(linkOf(envelope), form(files));
    expect([twice.status, twice.body]).toEqual([410, again.body]);
  });

  test("optional documents may be left out, but at least one file is needed", async () => {
    const owner = await api.signUp();
    const documents = [{ name: "A" }, { name: "B" }];
    const one = await sendEnvelope(owner, { documents });
    expect((await api.anonymous().post(linkOf(one), form({ B: pdfFile() }))).body.submissions).toHaveLength(
      1,
    );
    const none = await sendEnvelope(owner, { documents });
    const rejected = await api.anonymous().post(linkOf(none), new FormData());
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { code: "nothing_to_submit", message: "Please add at least one file" },
    ]);
    expect((await owner.get(`/api/requests/${none.id}`)).body.status).toBe("pending");
  });

  test("the requestor is notified of the files once", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner);
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    await api.finishBackgroundWork();
    await api.runJobs();
    const notices = (await api.mails()).filter(({ to }) => to === owner.email);
    const rows = await api.select(
      `select kind, status from notifications where envelope_id = ${envelope.id} and kind = 'submission'`,
    );
    expect([notices.length, rows]).toEqual([2, [{ kind: "submission", status: "sent" }]]);
  });

  test("of fifty concurrent submissions exactly one succeeds", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner);
    const before = (await api.storedFiles()).length;
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile(`${index}.pdf`) })),
      ),
    );
    const rejected = responses.filter(({ status }) => status !== 201);
    expect(rejected).toHaveLength(49);
    for (const { body } of rejected) expect(body.code).toBeOneOf(["completed", "too_many_uploads"]);
    expect((await api.storedFiles()).length).toBe(before + 1);
    expect((await owner.get(`/api/requests/${envelope.id}`)).body.submissions).toHaveLength(1);
  });

  test.each([
    "x",
    "%00",
    "%F0%9F%92%A9",
    "..%2f..%2fetc",
    "a".repeat(2000),
    "null",
    "undefined",
    "%",
    "' or 1=1--",
  ])("the link %s is not found", async (token) => {
    const unknown = {
      message: "This submission link is invalid or has expired",
      code: "submission_not_found",
    };
    expect(await api.anonymous().get(`/api/submissions/${token}`)).toMatchObject({
      status: 404,
      body: unknown,
    });
    const before = await api.storedFiles();
    const posted = await api.anonymous().post(`/api/submissions/${token}`, form({ A: pdfFile() }));
    expect(posted).toMatchObject({ status: 404, body: unknown });
    expect(await api.storedFiles()).toEqual(before);
  });
});

test("whoever has the link of a wrong address submits nothing once the address is corrected, even while files arrive", async () => {
  const runtime = await startBunRuntime();
  const owner = createClient({ fetch: runtime.fetch, origin: runtime.origin });
  await owner.post("/api/register", { email: "ada@example.com", password: "a long password" });
  const envelope = await sendEnvelope(owner, { recipientEmail: "wrong@example.com" });
  const whole = new Response(form({ Contract: pdfFile() }));
  const headers = { "Content-Type": whole.headers.get("content-type") ?? "", Origin: runtime.origin };
  const bytes = await whole.bytes();
  const [reading, corrected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes.slice(0, 200)),
    async pull(controller) {
      reading.resolve();
      await corrected.promise;
      controller.enqueue(bytes.slice(200));
      controller.close();
    },
  });
  const submitting = runtime.fetch(
    new Request(runtime.origin + linkOf(envelope), { method: "POST", headers, body }),
  );
  await reading.promise;
  const { documents } = (await owner.get(`/api/requests/${envelope.id}`)).body;
  const edit = { ...ENVELOPE, documents, recipientEmail: "right@example.com" };
  expect((await owner.put(`/api/requests/${envelope.id}`, edit)).status).toBe(200);
  corrected.resolve();
  const rejected = await submitting;
  expect([rejected.status, (await rejected.json()).code]).toEqual([410, "link_replaced"]);
  await runtime.finishBackgroundWork();
  expect(await runtime.select("select recipient from notifications where kind = 'receipt'")).toEqual([]);
  expect(await runtime.storedFiles()).toEqual([]);
  await runtime.stop();
});
