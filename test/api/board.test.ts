import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { createTus, locationOf } from "../support/api/tus";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

type Row = ApiResponse["body"];
const DAY_MS = 86_400_000;
const later = (days: number) => new Date(Date.parse(TEST_START) + days * DAY_MS).toISOString();
const DOCUMENTS = [
  { name: "Passport", required: true, multiple: true },
  { name: "Payslip", required: true, reasonAllowed: true },
  { name: "Photo" },
];

describeApi("the board", (api) => {
  let owner: SignedUp;
  beforeAll(async () => {
    owner = await api.signUp();
  });
  afterAll(() => api.setClock(TEST_START));

  async function board(query: string, person: Pick<SignedUp, "get"> = owner): Promise<Row[]> {
    const { status, body } = await person.get(`/api/requests?view=board&${query}`);
    expect([query, status]).toEqual([query, 200]);
    return body;
  }
  const statesOf = ({ documents }: Row) => documents.map(({ state }: Row) => state);
  const submit = async (envelope: Row, files: Record<string, File>) =>
    expect((await api.anonymous().post(linkOf(envelope), form(files))).status).toBe(201);
  const review = async ({ id }: Row, decisions: object) =>
    expect((await owner.post(`/api/requests/${id}/review`, decisions)).status).toBe(200);

  test("has what a row shows, and each document's state, files and reason", async () => {
    const envelope = await sendEnvelope(owner, { documents: DOCUMENTS });
    const [passport, payslip, photo] = envelope.documents.map(({ id }: Row) => id);
    const [{ documents, ...row } = {}] = await board(`ids=${envelope.id}`);
    const [{ documents: count, ...listed }] = (await owner.get(`/api/requests?view=row&ids=${envelope.id}`))
      .body;
    expect([row, count]).toEqual([listed, 3]);
    const missing = { state: "open", files: 0, opened: 0, toReview: false, reason: null };
    expect(documents).toEqual([
      { id: passport, name: "Passport", required: true, ...missing },
      { id: payslip, name: "Payslip", required: true, ...missing },
      { id: photo, name: "Photo", required: false, ...missing },
    ]);
  });

  test("shows a document from its first byte to the deletion of its files", async () => {
    const envelope = await sendEnvelope(owner, { documents: DOCUMENTS });
    const [passport, payslip] = envelope.documents.map(({ id }: Row) => id);
    const read = async () => (await board(`ids=${envelope.id}`))[0];
    const tus = createTus(api, envelope);
    const file = pdfFile();
    const created = await tus.create(passport, "passport.pdf", file.size);
    expect(statesOf(await read())).toEqual(["open", "open", "open"]);
    await tus.patch(locationOf(created), 0, (await file.bytes()).slice(0, 5));
    expect(statesOf(await read())).toEqual(["arriving", "open", "open"]);
    await tus.patch(locationOf(created), 5, (await file.bytes()).slice(5));
    expect(statesOf(await read())).toEqual(["arriving", "open", "open"]);
    const skipped = [{ documentId: payslip, reason: "I have no employer" }];
    expect((await tus.submit({ name: "R", email: "r@example.com", skipped })).status).toBe(201);
    const submitted = await read();
    expect(statesOf(submitted)).toEqual(["received", "skipped", "open"]);
    expect(submitted.documents).toMatchObject([
      { toReview: true, files: 1 },
      { toReview: true, reason: "I have no employer" },
      { toReview: false },
    ]);
    expect(submitted.toReview).toBe(2);

    await review(envelope, { accept: [payslip], return: [{ documentId: passport, reason: "Blurred" }] });
    const returned = await read();
    expect(statesOf(returned)).toEqual(["returned", "accepted", "open"]);
    expect(returned.documents[0]).toMatchObject({ reason: "Blurred", toReview: false });
    const again = await tus.create(passport, "passport.pdf", file.size);
    await tus.patch(locationOf(again), 0, await file.bytes());
    expect(statesOf(await read())).toEqual(["arriving", "accepted", "open"]);
    expect((await tus.submit({ name: "R", email: "r@example.com" })).status).toBe(201);
    const answered = await read();
    expect(statesOf(answered)).toEqual(["received", "accepted", "open"]);
    expect(answered.documents[0]).toMatchObject({ files: 1, toReview: true });
  });

  test("counts the files that somebody has opened in the browser, once and for everybody", async () => {
    const viewer = await joinAs(api, owner, "viewer");
    const envelope = await sendEnvelope(owner, { documents: DOCUMENTS });
    const data = new FormData();
    for (const name of ["one.pdf", "two.pdf"]) data.append("Passport", pdfFile(name));
    data.append("Payslip", pdfFile());
    expect((await api.anonymous().post(linkOf(envelope), data)).status).toBe(201);
    const { url } = (await owner.get(`/api/requests/${envelope.id}`)).body.submissions[0];
    const opened = async () => {
      await api.finishBackgroundWork();
      return (await board(`ids=${envelope.id}`))[0].documents.map(({ opened }: Row) => opened);
    };
    const { token } = (await owner.post("/api/tokens", { name: "Mirror", scope: "read" })).body;
    expect((await api.anonymous().get(`${url}?download`, { authorization: `Bearer ${token}` })).status).toBe(
      200,
    );
    expect((await api.anonymous().get(url)).status).toBe(404);
    await viewer.send("HEAD", url);
    expect(await opened()).toEqual([0, 0, 0]);
    expect((await viewer.get(url)).status).toBe(200);
    expect(await opened()).toEqual([1, 0, 0]);
    expect((await owner.get(url)).status).toBe(200);
    expect(await opened()).toEqual([1, 0, 0]);
  });

  test("is narrowed to a bulk send, a template or a selection, and combined with the rest of the list", async () => {
    const { body: template } = await owner.post("/api/templates", {
      name: "Year end",
      fields: [{ name: "Contract" }],
    });
    const { body: bulk } = await owner.post("/api/requests/bulk", {
      envelope: { subject: "Tax", templateId: template.id, documents: [{ name: "Payslip" }] },
      recipients: ["Ada", "Bob"].map((recipientName) => ({
        recipientName,
        recipientEmail: `${recipientName}@example.com`,
      })),
    });
    await api.finishBackgroundWork();
    const single = await sendEnvelope(owner, { templateId: template.id, recipientName: "Cleo" });
    const other = await sendEnvelope(owner, { recipientName: "Dan" });
    const names = async (query: string, view = "board") =>
      (await owner.get(`/api/requests?view=${view}&sort=recipient&${query}`)).body.map(
        ({ recipient }: Row) => recipient,
      );
    for (const view of ["board", "row"]) {
      expect(await names(`bulkId=${bulk.id}`, view)).toEqual(["Ada", "Bob"]);
      expect(await names(`templateId=${template.id}`, view)).toEqual(["Ada", "Bob", "Cleo"]);
      expect(await names(`ids=${other.id},${single.id},${other.id},999999`, view)).toEqual(["Cleo", "Dan"]);
    }
    expect(await names(`templateId=${template.id}&filter=tax&tab=waiting`)).toEqual(["Ada", "Bob"]);
    expect(await names(`templateId=${template.id}&search=cleo`)).toEqual(["Cleo"]);
    expect(await names("templateId=999999")).toEqual([]);
    const counts = await owner.get(`/api/requests?templateId=${template.id}&counts=1`);
    expect(counts.headers.get("envelope-counts")).toContain("all=3, waiting=3");
  });

  test("has pages of at most a hundred, each envelope once", async () => {
    const { body: bulk } = await owner.post("/api/requests/bulk", {
      envelope: { subject: "Many", documents: [{ name: "Payslip" }] },
      recipients: Array.from({ length: 103 }, (_, index) => ({
        recipientName: `Client ${index}`,
        recipientEmail: `client${index}@example.com`,
      })),
    });
    await api.finishBackgroundWork();
    const path = `/api/requests?view=board&sort=recipient&bulkId=${bulk.id}`;
    const first = await owner.get(`${path}&limit=1000`);
    expect(first.body).toHaveLength(100);
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const rest = (await owner.get(next)).body;
    expect([...first.body, ...rest].map(({ recipient }: Row) => recipient)).toEqual(
      Array.from({ length: 103 }, (_, index) => `Client ${index}`),
    );
  });

  test("shows nothing of another account, and all of it to a viewer", async () => {
    const viewer = await joinAs(api, owner, "viewer");
    const stranger = await api.signUp();
    const envelope = await sendEnvelope(owner, { documents: DOCUMENTS });
    expect(await board(`ids=${envelope.id}`, viewer)).toEqual(await board(`ids=${envelope.id}`));
    expect(await board(`ids=${envelope.id}`, stranger)).toEqual([]);
  });

  test.each([
    ["view=board&ids=", "ids"],
    ["view=board&ids=1,x", "ids"],
    ["view=board&templateId=0", "templateId"],
    [`ids=${Array.from({ length: 501 }, (_, index) => index + 1).join(",")}`, "ids"],
  ])("is 400 for %.20s…", async (query, path) => {
    const { status, body } = await owner.get(`/api/requests?${query}`);
    expect([status, body.code, body.issues[0].path.split(".")[0]]).toEqual([400, "validation", path]);
  });

  test("shows what retention has deleted, which is not to review any more", async () => {
    await owner.patch(`/api/workspaces/${owner.workspaceId}`, { retentionDays: 30 });
    const envelope = await sendEnvelope(owner);
    await submit(envelope, { Contract: pdfFile() });
    await api.runJobs(later(23), later(23.1));
    // Extends the session.
    expect((await owner.get("/api/user")).status).toBe(200);
    await api.runJobs(later(30.2), later(30.3));
    const [row] = await board(`ids=${envelope.id}`);
    expect(row).toMatchObject({ toReview: 0, documents: [{ state: "deleted", files: 1, toReview: false }] });
  });
});
