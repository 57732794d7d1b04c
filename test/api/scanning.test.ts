import { afterAll, afterEach, expect, test } from "bun:test";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { createTus, locationOf } from "../support/api/tus";
import { infectedFile, largePdfFile, pdfFile, pngFile, sha256 } from "../support/files/files";
import { MISCOUNTED } from "../support/files/miscounted";
import { readZip } from "../support/files/zip";
import { TEST_START } from "../support/runtime/runtime";
import { STREAM_MAX, startClamdServer } from "../support/servers/clamd-server";

const clamd = await startClamdServer();
afterAll(() => clamd.stop());

const DOCUMENTS = [{ name: "Contract", required: true }, { name: "Passport" }];

let minutes = 0;

describeApi("scanning for viruses", { clamavUrl: clamd.url }, (api) => {
  afterEach(() => clamd.misbehave(undefined));

  const newEnvelope = async (owner: SignedUp) => sendEnvelope(owner, { documents: DOCUMENTS });
  const read = async (owner: SignedUp, { id }: { id: number }) =>
    (await owner.get(`/api/requests/${id}`)).body;
  const submit = (envelope: { submissionToken: string }, files: Record<string, File>) =>
    api.anonymous().post(linkOf(envelope), form(files));
  /** An envelope whose file arrived while no scanner was available. */
  const quarantine = async (owner: SignedUp, file: File) => {
    const envelope = await newEnvelope(owner);
    clamd.misbehave("failing");
    expect((await submit(envelope, { Contract: file })).status).toBe(201);
    clamd.misbehave(undefined);
    return envelope;
  };

  test("a clean file is scanned before the response and can be downloaded", async () => {
    const owner = await api.signUp();
    const envelope = await newEnvelope(owner);
    const before = clamd.received();
    expect((await submit(envelope, { Contract: pdfFile() })).status).toBe(201);
    expect(clamd.received() - before).toBe(pdfFile().size);
    const [file] = (await read(owner, envelope)).submissions;
    expect(file.withheld).toBeNull();
    expect(await sha256(await owner.bytes(file.url))).toBe(await sha256(pdfFile()));
  });

  test("a virus is rejected with the document's name, nothing is stored, and the link stays open", async () => {
    const owner = await api.signUp();
    const envelope = await newEnvelope(owner);
    const before = await api.storedFiles();
    const rejected = await submit(envelope, { Contract: pdfFile(), Passport: infectedFile() });
    expect([rejected.status, rejected.body]).toEqual([
      400,
      {
        code: "infected_file",
        message: "A virus was found in the file for “Passport”",
        params: { document: "Passport" },
      },
    ]);
    expect(await api.storedFiles()).toEqual(before);
    const { status, submissions } = await read(owner, envelope);
    expect([status, submissions]).toEqual(["pending", []]);
    expect((await submit(envelope, { Contract: pdfFile() })).status).toBe(201);
  });

  test("a virus in a resumable upload is rejected with the last chunk, and the upload is deleted", async () => {
    const owner = await api.signUp();
    const envelope = await newEnvelope(owner);
    const tus = createTus(api, envelope);
    const before = await api.storedFiles();
    const [contract] = envelope.documents.map(({ id }: { id: number }) => id);
    const bytes = await infectedFile().bytes();
    const location = locationOf(await tus.create(contract, "infected.pdf", bytes.length));
    expect((await tus.patch(location, 0, bytes.slice(0, 20))).status).toBe(204);
    const rejected = await tus.patch(location, 20, bytes.slice(20));
    expect([rejected.status, rejected.body]).toMatchObject([
      400,
      { code: "infected_file", params: { document: "Contract" } },
    ]);
    expect((await tus.head(location)).status).toBe(404);
    expect((await tus.document(contract)).files).toEqual([]);
    await api.finishBackgroundWork();
    expect(await api.storedFiles()).toEqual(before);
    await tus.upload(contract, pdfFile());
    expect((await tus.submit()).status).toBe(201);
    expect((await read(owner, envelope)).submissions).toMatchObject([{ withheld: null }]);
  });

  test("an unscanned upload is quarantined when it is submitted", async () => {
    const owner = await api.signUp();
    const envelope = await newEnvelope(owner);
    const tus = createTus(api, envelope);
    clamd.misbehave("failing");
    await tus.upload(envelope.documents[0].id, pdfFile());
    clamd.misbehave(undefined);
    expect((await tus.submit()).status).toBe(201);
    expect((await read(owner, envelope)).submissions).toMatchObject([{ withheld: "checking", url: null }]);
    await nextMinute(api);
    expect((await read(owner, envelope)).submissions).toMatchObject([{ withheld: null }]);
  });

  test("while the scanner is down a file is quarantined, until the scanner is back", async () => {
    const owner = await api.signUp();
    const envelope = await newEnvelope(owner);
    await clamd.stop();
    const response = await submit(envelope, { Contract: pdfFile(), Passport: pdfFile("passport.pdf") });
    expect(response.status).toBe(201);
    await nextMinute(api);
    const { status, submissions } = await read(owner, envelope);
    expect(status).toBe("completed");
    expect(submissions).toMatchObject([
      { documentName: "Contract", withheld: "checking", url: null },
      { documentName: "Passport", withheld: "checking", url: null },
    ]);
    await rejectedWhileQuarantined(api, owner, envelope.id);
    await clamd.start();
    await nextMinute(api);
    const released = (await read(owner, envelope)).submissions;
    expect(released.map(({ withheld }: { withheld: string }) => withheld)).toEqual([null, null]);
    expect(await sha256(await owner.bytes(released[0].url))).toBe(await sha256(pdfFile()));
  });

  test("a virus found later removes the file and notifies the requestor once", async () => {
    const owner = await api.signUp();
    const before = await api.storedFiles();
    const envelope = await quarantine(owner, infectedFile());
    await nextMinute(api);
    await nextMinute(api);
    expect((await read(owner, envelope)).submissions).toMatchObject([
      { documentName: "Contract", fileName: "infected.pdf", withheld: "infected", url: null },
    ]);
    expect(await api.storedFiles()).toEqual(before);
    expect(await api.select(MISCOUNTED)).toEqual([]);
    const [{ file_path: name }] = (await submissionRows(api, envelope.id)) as [{ file_path: string }];
    expect((await owner.get(`/uploads/${name}`)).status).toBe(404);
    const timeline = (await owner.get(`/api/requests/${envelope.id}/timeline`)).body;
    const found = timeline.filter(({ kind, message }: Record<string, string>) =>
      [kind, message].includes("infected"),
    );
    expect(found).toMatchObject([
      { kind: "infected", actor: "service", address: null, detail: "Contract" },
      { kind: "delivery", message: "infected", recipient: owner.email, status: "sent" },
    ]);
    const mails = (await api.mails()).filter(
      ({ to, subject }) => to === owner.email && /virus/.test(subject),
    );
    expect(mails.map(({ subject }) => subject)).toEqual(["A virus was found: Papers"]);
    expect(mails[0]?.text).toContain("that Rita Recipient sent for “Contract”");
    expect(mails[0]?.text).toContain(`${api.origin}/?envelope=${envelope.id}`);
  });

  test("a file that cannot be scanned stays quarantined without blocking others", async () => {
    const owner = await api.signUp();
    const large = await newEnvelope(owner);
    expect((await submit(large, { Contract: largePdfFile(STREAM_MAX + 1) })).status).toBe(201);
    const other = await quarantine(owner, pdfFile());
    await nextMinute(api);
    expect((await read(owner, large)).submissions).toMatchObject([{ withheld: "unscannable", url: null }]);
    const why = "the file is larger than clamd's settings allow";
    const rows = await api.select(`select scan_failure from submissions where envelope_id = ${large.id}`);
    expect(rows).toEqual([{ scan_failure: expect.stringContaining(why) }]);
    expect((await read(owner, other)).submissions).toMatchObject([{ withheld: null }]);
    await owner.delete(`/api/requests/${large.id}`);
  });

  test("concurrent jobs scan a quarantined file once", async () => {
    const owner = await api.signUp();
    const envelope = await quarantine(owner, pdfFile());
    const before = clamd.received();
    await pass(api);
    await Promise.all([api.runJobs(), api.runJobs(), api.runJobs()]);
    await api.finishBackgroundWork();
    expect(clamd.received() - before).toBe(pdfFile().size);
    expect((await read(owner, envelope)).submissions).toMatchObject([{ withheld: null }]);
  });

  test("a quarantined file is not in the account's export", async () => {
    const owner = await api.signUp();
    await quarantine(owner, pdfFile());
    const archive = readZip(await owner.bytes("/api/user/export"));
    expect([...archive.keys()]).toEqual(["data.json"]);
  });

  test("deleting an envelope deletes its quarantined file", async () => {
    const owner = await api.signUp();
    const before = await api.storedFiles();
    const envelope = await quarantine(owner, infectedFile());
    expect((await owner.delete(`/api/requests/${envelope.id}`)).status).toBe(204);
    await nextMinute(api);
    expect(await api.storedFiles()).toEqual(before);
  });

  test("a picture with a virus is rejected, and so is one that cannot be scanned", async () => {
    const owner = await api.signUp();
    const change = (avatar: File) => owner.post("/api/user/avatar", form({ avatar }));
    const previous = await change(pngFile());
    expect(previous.status).toBe(200);
    await api.finishBackgroundWork();
    const before = await api.storedFiles();
    const infected = await change(new File([pngFile(), infectedFile()], "me.png"));
    expect([infected.status, infected.body.code]).toEqual([400, "infected_avatar"]);
    clamd.misbehave("breaks off");
    const unknown = await change(pngFile());
    expect([unknown.status, unknown.body.code]).toEqual([503, "scanner_unavailable"]);
    expect(unknown.headers.get("retry-after")).toBe("60");
    expect(await api.storedFiles()).toEqual(before);
    expect((await owner.get("/api/user")).body.avatarUrl).toBe(previous.body.avatarUrl);
  });
});

const submissionRows = (api: Api, envelopeId: number) =>
  api.select(`select file_path from submissions where envelope_id = ${envelopeId}`);

/** The requestor may know the file's key, but cannot download it. */
async function rejectedWhileQuarantined(api: Api, owner: SignedUp, envelopeId: number): Promise<void> {
  const rows = await submissionRows(api, envelopeId);
  expect(rows).toHaveLength(2);
  for (const { file_path: name } of rows) {
    for (const path of [`/uploads/${name}`, `/uploads/${name}?download`]) {
      const { status, body } = await owner.get(path);
      expect([status, body.code]).toEqual([409, "file_held_back"]);
      expect(body.message).toMatch(
        /^The file for “(?:Contract|Passport)” is still being checked for viruses/,
      );
    }
    expect((await owner.send("HEAD", `/uploads/${name}`)).status).toBe(409);
    expect((await api.anonymous().get(`/uploads/${name}`)).status).toBe(404);
  }
}

async function pass(api: Api): Promise<void> {
  minutes += 1;
  await api.setClock(new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString());
}

async function nextMinute(api: Api): Promise<void> {
  await pass(api);
  await api.runJobs();
}
