import { afterAll, beforeEach, expect, test } from "bun:test";
import { type ApiResponse, describeApi, programOf, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { docxFile, infectedFile, jpegFile, largePdfFile, pdfFile, pngFile } from "../support/files/files";
import { readZip } from "../support/files/zip";
import { TEST_START } from "../support/runtime/runtime";
import { startClamdServer } from "../support/servers/clamd-server";

const MIB = 1024 * 1024;
const clamd = await startClamdServer();
afterAll(() => clamd.stop());

/** A number of days after the start of the clock, and a minute. */
const after = (days: number) => new Date(Date.parse(TEST_START) + days * 86_400_000 + 60_000).toISOString();

const upload = (client: Pick<SignedUp, "post">, file: File, workspaceId?: number) => {
  const body = form({ file });
  if (workspaceId !== undefined) body.append("workspaceId", String(workspaceId));
  return client.post("/api/attachments", body);
};
const codeOf = ({ status, body }: ApiResponse) => [status, body.code];

describeApi(
  "the sizes of forms to fill in",
  { quotas: { envelopeBytes: 50 * MIB, accountBytes: 21 * MIB, uploadsPerEnvelope: 5 } },
  (api) => {
    test("one may have 20 MB, and counts in the quota of who owns the workspace", async () => {
      const owner = await api.signUp();
      const member = await joinAs(api, owner, "member");
      const { workspaceId } = owner;
      expect(codeOf(await upload(owner, largePdfFile(20 * MIB + 1)))).toEqual([413, "attachment_too_large"]);
      expect((await upload(member, largePdfFile(20 * MIB), workspaceId)).status).toBe(201);
      const before = await api.storedFiles();
      expect(codeOf(await upload(owner, largePdfFile(2 * MIB)))).toEqual([507, "storage_full"]);
      const envelope = await sendEnvelope(owner);
      const answer = await api.anonymous().post(linkOf(envelope), form({ Contract: largePdfFile(2 * MIB) }));
      expect(codeOf(answer)).toEqual([507, "storage_full"]);
      expect(await api.storedFiles()).toEqual(before);
      expect((await upload(member, largePdfFile(MIB))).status).toBe(201);
    });

    test("a workspace has 20,000 at most, also concurrently and by envelopes that move there", async () => {
      const owner = await api.signUp();
      const { id } = (await upload(owner, pdfFile())).body;
      const elsewhere = (await owner.post("/api/workspaces", { name: "Elsewhere" })).body.id;
      await api.execute(`insert into attachments (workspace_id, file_path, file_name, file_size, mime_type, sha256, created_at, released_at)
      select ${elsewhere}, file_path || n.value, file_name, file_size, mime_type, sha256, created_at, released_at
      from attachments, (with recursive n(value) as (select 1 union all select value + 1 from n where value < 19998) select value from n) as n where attachments.id = ${id}`);
      const added = await Promise.all([1, 2, 3, 4].map(() => upload(owner, pdfFile(), elsewhere)));
      expect(added.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
      expect(added.find(({ status }) => status === 409)?.body).toMatchObject({
        code: "too_many_attachments",
        message: expect.stringContaining("A workspace can have at most 20000 forms"),
        params: { max: 20_000 },
      });
      const envelope = await sendEnvelope(owner, { documents: [{ name: "Contract", attachments: [id] }] });
      const { body } = await owner.get(`/api/requests/${envelope.id}`);
      const moved = await owner.put(`/api/requests/${envelope.id}`, {
        ...ENVELOPE,
        ...body,
        workspaceId: elsewhere,
      });
      expect([moved.status, moved.body]).toMatchObject([
        409,
        { code: "too_many_attachments", params: { max: 20_000 } },
      ]);
      await api.execute(`delete from attachments where workspace_id = ${elsewhere}`);
      expect((await upload(owner, pdfFile(), elsewhere)).status).toBe(201);
    });
  },
);

describeApi("forms to fill in", { clamavUrl: clamd.url }, (api) => {
  let owner: SignedUp;
  beforeEach(async () => {
    await api.setClock(TEST_START);
    owner = await api.signUp();
  });

  const attached = async (file = pdfFile("form.pdf")): Promise<number> => (await upload(owner, file)).body.id;
  const documents = (...attachments: unknown[]) => [{ name: "Contract", attachments }];
  const formsOf = ({ body }: ApiResponse) => body.documents[0].attachments;
  const newWorkspace = async (name: string) => (await owner.post("/api/workspaces", { name })).body.id;

  test("PDF, Word, Excel, PNG and JPEG files are accepted by their content", async () => {
    const file = pdfFile("W-9.pdf");
    const added = await upload(owner, file);
    expect([added.status, added.body]).toEqual([
      201,
      { id: added.body.id, fileName: "W-9.pdf", fileSize: file.size },
    ]);
    for (const other of [docxFile("a.docx"), pngFile("a.png"), jpegFile("a.JPG")])
      expect((await upload(owner, other)).status).toBe(201);
    const before = await api.storedFiles();
    const fake = new File(["<html>"], "form.pdf");
    for (const wrong of [
      fake,
      new File([pdfFile()], "form.txt"),
      new File([pdfFile()], "form"),
      pngFile("a.xlsx"),
    ])
      expect([wrong.name, ...codeOf(await upload(owner, wrong))]).toEqual([
        wrong.name,
        ...[415, "attachment_type_not_allowed"],
      ]);
    expect(codeOf(await upload(owner, new File([], "form.pdf")))).toEqual([400, "attachment_missing"]);
    expect(codeOf(await owner.post("/api/attachments", form({ other: file })))).toEqual([
      400,
      "attachment_missing",
    ]);
    expect(codeOf(await owner.post("/api/attachments", {}))).toEqual([415, "multipart_required"]);
    expect(codeOf(await upload(owner, infectedFile("form.pdf")))).toEqual([400, "infected_attachment"]);
    expect(await api.storedFiles()).toEqual(before);
    expect(await api.select("select * from upload_leases")).toEqual([]);
  });

  test("members add them to a workspace, viewers and read tokens only download", async () => {
    const [member, viewer, other] = [
      await joinAs(api, owner, "member"),
      await joinAs(api, owner, "viewer"),
      await api.signUp(),
    ];
    const { workspaceId } = owner;
    const { status, body } = await upload(member, pdfFile("Formular „A“.pdf"), workspaceId);
    expect(status).toBe(201);
    expect(codeOf(await upload(viewer, pdfFile(), workspaceId))).toEqual([403, "role_required"]);
    expect(codeOf(await upload(other, pdfFile(), workspaceId))).toEqual([404, "workspace_not_found"]);
    expect((await upload(other, pdfFile(), Number.NaN)).status).toBe(404);
    const { token } = (await owner.post("/api/tokens", { name: "Read", scope: "read" })).body;
    const program = programOf(api, token);
    expect((await upload(program, pdfFile())).status).toBe(403);
    for (const reader of [owner, viewer, program]) {
      const file = await reader.get(`/api/attachments/${body.id}`);
      expect(file.status).toBe(200);
      expect(file.headers.get("content-disposition")).toContain("attachment; filename=");
      expect(file.headers.get("x-content-type-options")).toBe("nosniff");
      expect(file.headers.get("content-type")).toBe("application/pdf");
    }
    expect(await owner.bytes(`/api/attachments/${body.id}`)).toEqual(await pdfFile().bytes());
    expect(codeOf(await other.get(`/api/attachments/${body.id}`))).toEqual([404, "attachment_not_found"]);
  });

  test("an envelope, a template and a bulk send name them by id or as they were read, at most three", async () => {
    const [one, two] = [await attached(), await attached(pngFile("scan.png"))];
    const shown = [
      { id: one, fileName: "form.pdf", fileSize: pdfFile().size },
      { id: two, fileName: "scan.png", fileSize: pngFile().size },
    ];
    const sent = await owner.post("/api/requests", { ...ENVELOPE, documents: documents(one, two, one) });
    expect(formsOf(sent)).toEqual(shown);
    const page = await api.anonymous().get(linkOf(sent.body));
    expect(formsOf(page)).toEqual(shown);
    const named = shown.map((form) => ({ ...form, fileName: "other.exe", fileSize: 1 }));
    const template = { name: "Taxes", fields: documents(...named) };
    const created = await owner.post("/api/templates", template);
    expect(created.body.fields[0].attachments).toEqual(shown);
    const changed = await owner.put(`/api/templates/${created.body.id}`, {
      ...template,
      fields: documents(two),
    });
    expect(changed.body.fields[0].attachments).toEqual(shown.slice(1));
    const bulk = { envelope: { ...ENVELOPE, documents: documents(one) }, recipients: [ENVELOPE, ENVELOPE] };
    const { body } = await owner.post("/api/requests/bulk", bulk);
    await api.finishBackgroundWork();
    const rows = (await owner.get(`/api/requests?bulkId=${body.id}`)).body;
    expect(rows.map((row: ApiResponse["body"]) => formsOf({ body: row } as ApiResponse))).toEqual([
      shown.slice(0, 1),
      shown.slice(0, 1),
    ]);
    const preview = await owner.post("/api/requests/preview", { ...ENVELOPE, documents: documents(one) });
    expect(preview.body.page.documents[0].attachments).toEqual(shown.slice(0, 1));
    const four = await owner.post("/api/requests", { ...ENVELOPE, documents: documents(1, 2, 3, 4) });
    expect([four.status, four.body.issues[0].path]).toEqual([400, "documents.0.attachments"]);
    const question = [{ name: "Sure?", kind: "yesNo", attachments: [one] }];
    expect(formsOf(await owner.post("/api/requests", { ...ENVELOPE, documents: question }))).toEqual([]);
  });

  test("one of another workspace does not exist, in a draft either", async () => {
    const id = await attached();
    const elsewhere = await newWorkspace("Elsewhere");
    const stranger = await api.signUp();
    const draft = { isDraft: true, documents: documents(id) };
    const template = { name: "Taxes", fields: documents(id) };
    const bulk = { envelope: { ...ENVELOPE, documents: documents(id) }, recipients: [ENVELOPE] };
    const own = await stranger.post("/api/templates", { name: "Taxes", fields: [{ name: "Payslip" }] });
    const workspaceId = elsewhere;
    for (const response of [
      await stranger.post("/api/requests", draft),
      await stranger.post("/api/templates", template),
      await stranger.put(`/api/templates/${own.body.id}`, template),
      await stranger.post("/api/requests/bulk", bulk),
      await stranger.post("/api/requests/preview", draft),
      await owner.post("/api/requests", { ...draft, workspaceId }),
      await owner.post("/api/templates", { ...template, workspaceId }),
      await owner.post("/api/requests", { ...ENVELOPE, documents: documents(999_999) }),
    ])
      expect(codeOf(response)).toEqual([404, "attachment_not_found"]);
    const sent = await sendEnvelope(stranger);
    const edited = await stranger.put(`/api/requests/${sent.id}`, {
      ...ENVELOPE,
      ...draft,
      isDraft: false,
    });
    expect(codeOf(edited)).toEqual([404, "attachment_not_found"]);
  });

  test("the link serves those of its envelope, while it is open", async () => {
    const [id, other] = [await attached(), await attached()];
    const envelope = await sendEnvelope(owner, { documents: documents(id) });
    const recipient = api.anonymous();
    const path = `${linkOf(envelope)}/attachments`;
    const file = await recipient.get(`${path}/${id}`);
    expect(file.status).toBe(200);
    expect(file.headers.get("content-disposition")).toContain('attachment; filename="form.pdf"');
    expect(file.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await recipient.bytes(`${path}/${id}`)).toEqual(await pdfFile().bytes());
    expect(codeOf(await recipient.get(`${path}/${other}`))).toEqual([404, "attachment_not_found"]);
    expect((await recipient.get(`/api/submissions/unknown/attachments/${id}`)).status).toBe(404);
    await recipient.post(linkOf(envelope), form({ Contract: pdfFile() }));
    expect(codeOf(await recipient.get(`${path}/${id}`))).toEqual([410, "completed"]);
    const draft = (await owner.post("/api/requests", { isDraft: true, documents: documents(id) })).body;
    expect((await recipient.get(`${linkOf(draft)}/attachments/${id}`)).status).toBe(404);
  });

  test("one file serves all that have it, and goes 7 days after the last of them", async () => {
    const id = await attached();
    const unused = await attached();
    const template = (await owner.post("/api/templates", { name: "Taxes", fields: documents(id) })).body;
    const [one, two] = [
      await sendEnvelope(owner, { documents: documents(id) }),
      await sendEnvelope(owner, { documents: documents(id) }),
    ];
    const bulk = { envelope: { ...ENVELOPE, documents: documents(id) }, recipients: [ENVELOPE] };
    const { body } = await owner.post("/api/requests/bulk", bulk);
    await api.finishBackgroundWork();
    const [sent] = (await owner.get(`/api/requests?bulkId=${body.id}`)).body;
    const isThere = async (attachment = id) =>
      (await owner.get(`/api/attachments/${attachment}`)).status === 200;
    await api.runJobs(after(6.9));
    expect(await isThere(unused)).toBe(true);
    await api.runJobs(after(7));
    expect([await isThere(), await isThere(unused)]).toEqual([true, false]);
    for (const path of [`requests/${one.id}`, `templates/${template.id}`, `requests/${sent.id}`])
      expect((await owner.delete(`/api/${path}`)).status).toBe(204);
    await api.runJobs(after(20));
    expect(await isThere()).toBe(true);
    const before = await api.storedFiles();
    const { updatedAt: _, ...kept } = two;
    expect((await owner.put(`/api/requests/${two.id}`, { ...kept, documents: documents() })).status).toBe(
      200,
    );
    await api.runJobs(after(26.9));
    expect(await isThere()).toBe(true);
    expect(await api.storedFiles()).toEqual(before);
    await api.runJobs(after(27.1));
    expect(await isThere()).toBe(false);
    await api.runJobs(after(27.2));
    expect((await api.storedFiles()).length).toBe(before.length - 1);
  });

  test("an envelope that moves takes its forms along, and they outlive the workspace where they were", async () => {
    const elsewhere = await newWorkspace("Elsewhere");
    const id = (await upload(owner, pdfFile("form.pdf"), elsewhere)).body.id;
    const envelope = await sendEnvelope(owner, { workspaceId: elsewhere, documents: documents(id) });
    const { updatedAt: _, ...kept } = envelope;
    const moved = await owner.put(`/api/requests/${envelope.id}`, {
      ...kept,
      workspaceId: owner.workspaceId,
    });
    const [copy] = formsOf(moved);
    expect([moved.status, copy.fileName]).toEqual([200, "form.pdf"]);
    expect(copy.id).not.toBe(id);
    const stored = await api.storedFiles();
    expect((await owner.delete(`/api/workspaces/${elsewhere}`)).status).toBe(204);
    await api.runJobs();
    expect(await api.storedFiles()).toEqual(stored);
    const link = `${linkOf(moved.body)}/attachments/${copy.id}`;
    expect(await api.anonymous().bytes(link)).toEqual(await pdfFile().bytes());
    expect((await owner.delete(`/api/requests/${envelope.id}`)).status).toBe(204);
    await api.runJobs(after(7.1), after(7.2));
    expect((await api.storedFiles()).length).toBe(stored.length - 1);
  });

  test("a move that is rejected again and again adds them to the other workspace once", async () => {
    const elsewhere = await newWorkspace("Elsewhere");
    const id = (await upload(owner, pdfFile("form.pdf"), elsewhere)).body.id;
    const envelope = await sendEnvelope(owner, { workspaceId: elsewhere, documents: documents(id) });
    const { updatedAt: _, ...kept } = envelope;
    const move = (more: object = {}) =>
      owner.put(`/api/requests/${envelope.id}`, { ...kept, workspaceId: owner.workspaceId, ...more });
    for (let count = 0; count < 3; count += 1)
      expect(codeOf(await move({ subject: "{company}" }))).toEqual([400, "missing_placeholder"]);
    const rejected = await api.select(`select id from attachments where workspace_id = ${owner.workspaceId}`);
    expect(rejected).toHaveLength(1);
    const [copy] = formsOf(await move());
    expect(copy.id).toBe(Number(rejected[0]?.id));
    const link = `${linkOf((await owner.get(`/api/requests/${envelope.id}`)).body)}/attachments/${copy.id}`;
    expect(await api.anonymous().bytes(link)).toEqual(await pdfFile().bytes());
  });

  test("thousands that nothing has any more go in one run", async () => {
    const id = await attached();
    await api.execute(`insert into attachments (workspace_id, file_path, file_name, file_size, mime_type, sha256, created_at, released_at)
      select workspace_id, file_path, file_name, file_size, mime_type, sha256, created_at, released_at
      from attachments, (with recursive n(value) as (select 1 union all select value + 1 from n where value < 2500) select value from n) where attachments.id = ${id}`);
    const before = await api.storedFiles();
    await api.runJobs(after(7.1));
    const workspace = `workspace_id = ${owner.workspaceId}`;
    expect(await api.select(`select id from attachments where ${workspace} limit 1`)).toEqual([]);
    await api.runJobs(after(7.2));
    expect((await api.storedFiles()).length).toBe(before.length - 1);
  });

  test("they go with their workspace and their account, whose export has them", async () => {
    const before = await api.storedFiles();
    const elsewhere = await newWorkspace("Elsewhere");
    const id = (await upload(owner, pdfFile("form.pdf"), elsewhere)).body.id;
    await sendEnvelope(owner, { workspaceId: elsewhere, documents: documents(id) });
    const files = readZip(await owner.bytes("/api/user/export"));
    const { attachments } = JSON.parse(new TextDecoder().decode(files.get("data.json")));
    expect(attachments).toMatchObject([{ id, workspaceId: elsewhere, file: `forms/${id} form.pdf` }]);
    expect(files.get(`forms/${id} form.pdf`)).toEqual(await pdfFile().bytes());
    expect(await owner.bytes(`/api/attachments/${id}`)).toEqual(await pdfFile().bytes());
    expect((await owner.delete(`/api/workspaces/${elsewhere}`)).status).toBe(204);
    expect(await api.storedFiles()).toEqual(before);
    await sendEnvelope(owner, { documents: documents(await attached()) });
    expect((await owner.delete("/api/user/account")).status).toBe(204);
    expect(await api.storedFiles()).toEqual(before);
  });

  test("the files of a submission are deleted, and the form stays", async () => {
    const id = await attached();
    const envelope = await sendEnvelope(owner, { documents: documents(id) });
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    await owner.patch(`/api/workspaces/${owner.workspaceId}`, { retentionDays: 7 });
    await api.runJobs(after(8), after(16), after(24));
    expect((await owner.get(`/api/requests/${envelope.id}`)).body.filesDeletedAt).not.toBeNull();
    expect((await owner.get(`/api/attachments/${id}`)).status).toBe(200);
  });
});
