import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { appConfig, readVariables } from "../../worker/config";
import { bytesLeft, quotaError } from "../../worker/contract/quotas";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { multipart, pausing, trickle } from "../support/api/multipart";
import { ask } from "../support/api/questions";
import { joinAs } from "../support/api/team";
import { createTus, locationOf } from "../support/api/tus";
import { largePdfFile, pdfFile } from "../support/files/files";
import { startClamdServer } from "../support/servers/clamd-server";
import { waitFor } from "../support/wait";

const MIB = 1024 * 1024;
/** More than the texts of two short envelopes take. */
const TEXTS = 1000;
const DOCUMENTS = [{ name: "A" }, { name: "B" }, { name: "C" }];

const clamd = await startClamdServer();
afterAll(() => clamd.stop());

describeApi(
  "quotas",
  {
    clamavUrl: clamd.url,
    quotas: { envelopeBytes: 3 * MIB, accountBytes: 3.5 * MIB, uploadsPerEnvelope: 1 },
  },
  (api) => {
    let owner: SignedUp;
    beforeEach(async () => {
      owner = await api.signUp();
    });
    const newLink = async () => linkOf(await sendEnvelope(owner, { documents: DOCUMENTS }));
    const filesOf = (...bytes: number[]) =>
      form(Object.fromEntries(bytes.map((size, index) => ["ABC"[index] ?? "", largePdfFile(size)])));

    test("all files of an envelope together have a limit, exact to the byte", async () => {
      const link = await newLink();
      const before = await api.storedFiles();
      const rejected = await api.anonymous().post(link, filesOf(MIB, MIB, MIB + 1));
      expect([rejected.status, rejected.body.code]).toEqual([507, "storage_full"]);
      expect(await api.storedFiles()).toEqual(before);
      expect(await api.select("select * from upload_leases")).toEqual([]);
      expect((await api.anonymous().post(link, filesOf(MIB, MIB, MIB))).status).toBe(201);
    });

    test("bytes are counted as they arrive if no length was announced", async () => {
      const link = await newLink();
      const before = await api.storedFiles();
      const parts = ["A", "B", "C"].map(async (name) => ({
        name,
        fileName: "a.pdf",
        content: await largePdfFile(1.5 * MIB).bytes(),
      }));
      const { bytes, type } = multipart(await Promise.all(parts));
      const sent = trickle(bytes, 100_000);
      const rejected = await api.anonymous().send("POST", link, sent, { "content-type": type });
      expect([rejected.status, rejected.body.code]).toEqual([507, "storage_full"]);
      expect(await api.storedFiles()).toEqual(before);
    });

    test("all files of an account together have a limit, without those of deleted envelopes", async () => {
      const envelope = await sendEnvelope(owner, { documents: DOCUMENTS });
      expect((await api.anonymous().post(linkOf(envelope), filesOf(2 * MIB))).status).toBe(201);
      const link = await newLink();
      const rejected = await api.anonymous().post(link, filesOf(2 * MIB));
      expect([rejected.status, rejected.body.code]).toEqual([507, "storage_full"]);
      const other = await api.signUp();
      const others = linkOf(await sendEnvelope(other, { documents: DOCUMENTS }));
      expect((await api.anonymous().post(others, filesOf(2 * MIB))).status).toBe(201);
      await owner.delete(`/api/requests/${envelope.id}`);
      expect((await api.anonymous().post(link, filesOf(2 * MIB))).status).toBe(201);
    });

    test("concurrent uploads for one link are limited, without affecting other links", async () => {
      const link = await newLink();
      const scanner = clamd.pause();
      const first = api.anonymous().post(link, form({ A: pdfFile() }));
      await scanner.waiting;
      const rejected = await api.anonymous().post(link, form({ A: pdfFile() }));
      expect([rejected.status, rejected.body.code]).toEqual([409, "too_many_uploads"]);
      const elsewhere = api.anonymous().post(await newLink(), form({ A: pdfFile() }));
      scanner.resume();
      expect((await first).status).toBe(201);
      expect((await elsewhere).status).toBe(201);
    });

    test("resumable uploads are counted by their announced length from the start, until they are deleted", async () => {
      const quarter = { documents: [{ name: "A", multiple: true }] };
      const envelope: ApiResponse["body"] = await sendEnvelope(owner, quarter);
      const tus = createTus(api, envelope);
      const document = envelope.documents[0].id;
      const outcome = ({ status, body }: ApiResponse) => [status, body?.code];
      const rejected = [507, "storage_full"];
      expect(outcome(await tus.create(document, "a.pdf", 3 * MIB + 1))).toEqual(rejected);
      const whole = await tus.create(document, "a.pdf", 3 * MIB);
      expect(whole.status).toBe(201);
      await tus.remove(locationOf(whole));
      const first = await tus.upload(document, largePdfFile(2 * MIB));
      expect(outcome(await tus.create(document, "b.pdf", MIB + 1))).toEqual(rejected);
      // The account has 3.5 MiB and what the texts take, of which this envelope takes 2.
      const other: ApiResponse["body"] = await sendEnvelope(owner, quarter);
      const elsewhere = createTus(api, other);
      const otherDocument = other.documents[0].id;
      expect(outcome(await elsewhere.create(otherDocument, "a.pdf", 1.5 * MIB + 1))).toEqual(rejected);
      expect((await elsewhere.create(otherDocument, "a.pdf", 1.5 * MIB - TEXTS)).status).toBe(201);
      expect(outcome(await tus.create(document, "b.pdf", TEXTS))).toEqual(rejected);
      await tus.remove(first);
      expect((await tus.create(document, "b.pdf", 2 * MIB)).status).toBe(201);
    });

    test("of two bodies without a length, the second cannot take what the first already has", async () => {
      const links = [await newLink(), await newLink()];
      const bodies = ["A", "B"].map(async (name) =>
        multipart([{ name, fileName: "a.pdf", content: await largePdfFile(2 * MIB).bytes() }]),
      );
      const [first, second] = await Promise.all(bodies);
      if (!first || !second) throw new Error("No bodies");
      const slow = pausing(first.bytes, 1.5 * MIB);
      const streamed = { "content-type": first.type, "x-test-streamed": "yes" };
      const send = (link = "", body: BodyInit) => api.anonymous().send("POST", link, body, streamed);
      const early = send(links[0], slow.stream);
      const reserved = "select sum(bytes) as bytes from upload_leases";
      await waitFor("the first body", async () => Number((await api.select(reserved))[0]?.bytes) > 1.4 * MIB);
      const late = await send(links[1], trickle(second.bytes, 100_000));
      expect([late.status, late.body.code]).toEqual([507, "storage_full"]);
      slow.resume();
      expect((await early).status).toBe(201);
      expect(await api.select("select * from upload_leases")).toEqual([]);
    });

    test("of concurrent uploads that fit only one by one, the quota admits those that fit together", async () => {
      const documents = ["A", "B", "C", "D", "E", "F"].map((name) => ({ name }));
      const envelope: ApiResponse["body"] = await sendEnvelope(owner, { documents });
      const tus = createTus(api, envelope);
      const responses = await Promise.all(
        envelope.documents.map(({ id }: { id: number }) => tus.create(id, "a.pdf", 2 * MIB)),
      );
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const { status } of responses) expect([201, 409, 507]).toContain(status);
    });

    test("what was uploaded before the limit fell, a reason and an answer are still handed in", async () => {
      const [uploaded, skipped, answered] = [
        await sendEnvelope(owner, { documents: DOCUMENTS }),
        await sendEnvelope(owner, { documents: DOCUMENTS }),
        await sendEnvelope(owner, { documents: [{ name: "Abroad?", kind: "yesNo" }] }),
      ];
      const tus = createTus(api, uploaded);
      await tus.upload(uploaded.documents[0].id, largePdfFile(MIB));
      const other = await newLink();
      await api.execute(`update users set storage_quota = ${MIB / 2} where id = ${owner.id}`);
      expect((await tus.submit()).status).toBe(201);
      const reason = { skipped: [{ documentId: skipped.documents[0].id, reason: "Burnt" }] };
      expect((await createTus(api, skipped).submit(reason)).status).toBe(201);
      const answers = { answers: { [answered.documents[0].id]: "yes" } };
      expect((await api.anonymous().post(`${linkOf(answered)}/submit`, answers)).status).toBe(201);
      const late = await api.anonymous().post(other, filesOf(MIB));
      expect([late.status, late.body.code]).toEqual([507, "storage_full"]);
    });

    test("a failed upload does not count", async () => {
      const link = await newLink();
      for (let round = 0; round < 3; round += 1)
        expect((await api.anonymous().post(link, form({ A: new File([""], "a.pdf") }))).status).toBe(400);
      expect((await api.anonymous().post(link, form({ A: pdfFile() }))).status).toBe(201);
    });
  },
);

describeApi("the quota of an envelope that is returned", { quotas: { envelopeBytes: 3 * MIB } }, (api) => {
  const FULL = [507, "storage_full"];
  let owner: SignedUp;
  let envelope: ApiResponse["body"];
  beforeEach(async () => {
    owner = await api.signUp();
    envelope = await sendEnvelope(owner, { documents: [{ name: "A" }, { name: "B" }] });
    const both = form({ A: largePdfFile(2 * MIB), B: largePdfFile(MIB) });
    expect((await api.anonymous().post(linkOf(envelope), both)).status).toBe(201);
  });
  const askAgain = async (name = "A") => {
    const documentId = envelope.documents.find((one: { name: string }) => one.name === name).id;
    const returned = [{ documentId, reason: "Blurred" }];
    expect((await owner.post(`/api/requests/${envelope.id}/review`, { return: returned })).status).toBe(200);
    return documentId;
  };
  const outcome = ({ status, body }: ApiResponse) => (status < 300 ? status : [status, body.code]);

  test("leaves room for what replaces a file, each time, and counts the others", async () => {
    for (const _round of [1, 2]) {
      await askAgain();
      const send = (bytes: number) =>
        api.anonymous().post(linkOf(envelope), form({ A: largePdfFile(bytes) }));
      expect(outcome(await send(2 * MIB + 1))).toEqual(FULL);
      expect(outcome(await send(2 * MIB))).toBe(201);
    }
    await askAgain("B");
    const tooLarge = form({ B: largePdfFile(MIB + 1) });
    expect(outcome(await api.anonymous().post(linkOf(envelope), tooLarge))).toEqual(FULL);
  });

  test("leaves it for a resumable upload too", async () => {
    const id = await askAgain();
    const tus = createTus(api, envelope);
    expect(outcome(await tus.create(id, "a.pdf", 2 * MIB + 1))).toEqual(FULL);
    await tus.upload(id, largePdfFile(2 * MIB));
    expect(outcome(await tus.submit())).toBe(201);
  });
});

describeApi("quotas of people who share a workspace", { quotas: { envelopeBytes: 3 * MIB } }, (api) => {
  const FULL = [507, "storage_full"];
  const submit = async (envelope: ApiResponse["body"]) => {
    const { status, body } = await api.anonymous().post(linkOf(envelope), form({ A: largePdfFile(MIB) }));
    return status === 201 ? 201 : [status, body.code];
  };
  const limit = ({ id }: { id: number }, bytes: number | null) =>
    api.execute(`update users set storage_quota = ${bytes} where id = ${id}`);
  const team = async () => {
    const owner = await api.signUp();
    return { owner, colleague: await joinAs(api, owner, "member"), workspaceId: owner.workspaceId };
  };
  const input = (workspaceId: number) => ({ documents: [{ name: "A" }], workspaceId });

  test("a limit stops the person whose envelopes these are, not those of others", async () => {
    const { owner, colleague, workspaceId } = await team();
    await limit(colleague, MIB / 2);
    expect(await submit(await sendEnvelope(colleague, input(workspaceId)))).toEqual(FULL);
    expect(await submit(await sendEnvelope(owner, input(workspaceId)))).toBe(201);
    await limit(colleague, null);
    await limit(owner, MIB / 2);
    expect(await submit(await sendEnvelope(colleague, input(workspaceId)))).toBe(201);
    const contact = { firstName: "Ada", workspaceId };
    expect((await owner.post("/api/contacts", contact)).status).toBe(507);
    expect((await colleague.post("/api/contacts", contact)).status).toBe(201);
  });

  test("nobody can pass an envelope on to somebody who would have more than their limit", async () => {
    const { owner, colleague, workspaceId } = await team();
    const envelope = await sendEnvelope(owner, input(workspaceId));
    expect(await submit(envelope)).toBe(201);
    await limit(colleague, MIB / 2);
    const passOn = () => owner.patch(`/api/requests/${envelope.id}`, { assigneeId: colleague.id });
    expect((await passOn()).status).toBe(507);
    const sent = await sendEnvelope(owner, input(workspaceId));
    await limit(colleague, 10);
    const edited = { ...ENVELOPE, ...input(workspaceId), assigneeId: colleague.id };
    expect((await owner.put(`/api/requests/${sent.id}`, edited)).status).toBe(507);
    await limit(colleague, null);
    expect((await passOn()).status).toBe(200);
  });

  test("that of a workspace counts everything in it, whoever it belongs to, and nothing else", async () => {
    const { owner, colleague, workspaceId } = await team();
    await api.execute(`update workspaces set storage_quota = ${1.5 * MIB} where id = ${workspaceId}`);
    const mine = await sendEnvelope(owner, input(workspaceId));
    const theirs = await sendEnvelope(colleague, input(workspaceId));
    expect(await submit(theirs)).toBe(201);
    expect(await submit(mine)).toEqual(FULL);
    const tus = createTus(api, mine);
    expect((await tus.create(mine.documents[0].id, "a.pdf", MIB)).status).toBe(507);
    expect(await submit(await sendEnvelope(colleague, input(colleague.workspaceId)))).toBe(201);
    await api.execute(`update workspaces set storage_quota = 100 where id = ${workspaceId}`);
    const rejected = await owner.post("/api/requests", { ...ENVELOPE, workspaceId });
    expect([rejected.status, rejected.body.code]).toEqual(FULL);
    const own = await owner.post("/api/workspaces", { name: "Own" });
    const elsewhere = await sendEnvelope(owner, input(own.body.id));
    const moved = { ...ENVELOPE, ...input(workspaceId) };
    expect((await owner.put(`/api/requests/${elsewhere.id}`, moved)).status).toBe(507);
    expect((await owner.delete(`/api/requests/${theirs.id}`)).status).toBe(204);
  });
});

describeApi(
  "uploads that announce much and send nothing",
  {
    maxFileMb: 100,
    quotas: { envelopeBytes: 100 * MIB, accountBytes: 150 * MIB },
  },
  (api) => {
    test("count 64 MB for a link, and the bytes of others are checked as they arrive", async () => {
      const owner = await api.signUp();
      const several = { documents: [{ name: "A", multiple: true }] };
      const envelope: ApiResponse["body"] = await sendEnvelope(owner, several);
      const tus = createTus(api, envelope);
      const document = envelope.documents[0].id;
      const status = async (created: Promise<ApiResponse>) => (await created).status;
      const big = await tus.create(document, "big.pdf", 90 * MIB);
      expect(big.status).toBe(201);
      expect(await status(tus.create(document, "b.pdf", 36 * MIB + 1))).toBe(507);
      const small = await tus.create(document, "b.pdf", 36 * MIB);
      expect(small.status).toBe(201);
      // Another link of the account, with 150 MB for all.
      const other: ApiResponse["body"] = await sendEnvelope(owner, several);
      const elsewhere = createTus(api, other);
      expect(await status(elsewhere.create(other.documents[0].id, "c.pdf", 86 * MIB + 1))).toBe(507);
      expect(await status(elsewhere.create(other.documents[0].id, "c.pdf", 86 * MIB - TEXTS))).toBe(201);
      const received = (bytes: number) =>
        api.execute(
          `update uploads set "offset" = ${bytes} where id = '${locationOf(big).split("/").at(-1)}'`,
        );
      await received(65 * MIB);
      const chunk = () => tus.patch(locationOf(small), 0, new Uint8Array(10).fill(65));
      const rejected = await chunk();
      expect([rejected.status, rejected.body.code]).toEqual([507, "storage_full"]);
      expect((await tus.head(locationOf(small))).headers.get("upload-offset")).toBe("0");
      await received(20 * MIB);
      expect((await chunk()).status).toBe(204);
    });
  },
);

describeApi(
  "texts in an account's quota",
  { quotas: { envelopeBytes: 3 * MIB, accountBytes: 70_000 } },
  (api) => {
    let owner: SignedUp;
    beforeEach(async () => {
      owner = await api.signUp();
    });
    const LONG = "ä".repeat(10_000);
    const full = { status: 507, code: "storage_full" };
    const outcome = ({ status, body }: ApiResponse) => ({ status, code: body?.code });
    const envelopes = () => api.select(`select id from envelopes where user_id = ${owner.id}`);

    test("an envelope that would exceed it by its texts alone is rejected, and one deleted gives them back", async () => {
      const documents = [1, 2, 3].map((number) => ({ name: `Paper ${number}`, description: LONG }));
      const first = await sendEnvelope(owner, { documents });
      const input = { ...ENVELOPE, documents };
      expect(outcome(await owner.post("/api/requests", input))).toEqual(full);
      expect(outcome(await owner.post("/api/requests", { ...input, isDraft: true }))).toEqual(full);
      expect(await envelopes()).toHaveLength(1);
      await api.finishBackgroundWork();
      expect((await api.mails()).filter(({ to }) => to === ENVELOPE.recipientEmail)).toHaveLength(1);
      await owner.delete(`/api/requests/${first.id}`);
      expect((await owner.post("/api/requests", input)).status).toBe(201);
    });

    test("an edit may exceed it by no byte, and always shorten an envelope", async () => {
      const documents = [1, 2, 3].map((number) => ({ name: `Paper ${number}`, description: LONG }));
      const { id } = await sendEnvelope(owner, { documents });
      const path = `/api/requests/${id}`;
      const longer = [
        ...documents,
        { name: "Paper 4", description: LONG },
        { name: "Paper 5", description: LONG },
      ];
      expect(outcome(await owner.put(path, { ...ENVELOPE, documents: longer }))).toEqual(full);
      expect((await owner.get(path)).body.documents).toHaveLength(3);
      await api.execute(`update users set storage_quota = 30000 where id = ${owner.id}`);
      expect((await owner.put(path, { ...ENVELOPE, documents: documents.slice(1) })).status).toBe(200);
    });

    test("contacts and templates count, created, changed or imported", async () => {
      const contact = { firstName: "Ada", email: "ada@example.org", notes: LONG };
      const template = { name: "Taxes", fields: [{ name: "Payslip", description: LONG }] };
      const made = await owner.post("/api/contacts", contact);
      const short = await owner.post("/api/contacts", { ...contact, notes: null });
      const small = await owner.post("/api/templates", { ...template, fields: [{ name: "Payslip" }] });
      for (const { status } of [made, short, small, await owner.post("/api/templates", template)])
        expect(status).toBe(201);
      const more = {
        match: "email",
        contacts: ["eve", "fay", "gil"].map((name) => ({ ...contact, email: `${name}@example.org` })),
      };
      const rejected = [
        await owner.post("/api/contacts/bulk", more),
        await owner.put(`/api/templates/${small.body.id}`, { ...template, message: LONG }),
      ];
      expect(rejected.map(outcome)).toEqual([full, full]);
      expect((await owner.patch(`/api/contacts/${short.body.id}`, { notes: LONG })).status).toBe(200);
      expect(outcome(await owner.post("/api/contacts", contact))).toEqual(full);
      expect(outcome(await owner.post("/api/templates", template))).toEqual(full);
      expect((await owner.get("/api/contacts")).body).toHaveLength(2);
      expect(
        (await owner.get("/api/templates")).body.map(({ fields }: { fields: object[] }) => fields),
      ).toHaveLength(2);
      await owner.delete(`/api/contacts/${made.body.id}`);
      expect((await owner.post("/api/templates", template)).status).toBe(201);
    });

    test("long answers count from when they are kept, and no longer once their question is gone", async () => {
      const documents = [1, 2, 3, 4].map((number) => ({ name: `Question ${number}`, kind: "longText" }));
      const { keep, submit, change, read } = await ask(api, { documents }, owner);
      const answer = "\u6f22".repeat(10_000);
      const quota = async (bytes: number) => {
        const held = "(select sum(text_bytes + file_bytes) from envelopes where user_id = users.id)";
        await api.execute(`update users set storage_quota = ${held} + ${bytes} where id = ${owner.id}`);
      };
      await quota(100_000);
      const three = { "Question 1": answer, "Question 2": answer, "Question 3": answer };
      expect((await keep(three)).status).toBe(204);
      expect(outcome(await keep({ "Question 4": answer }))).toEqual(full);
      expect(outcome(await submit({ "Question 4": answer }))).toEqual(full);
      expect(await read()).toMatchObject({ status: "pending" });
      expect((await keep({ "Question 1": null })).status).toBe(204);
      expect((await keep({ "Question 4": answer })).status).toBe(204);
      expect((await change(documents.slice(0, 3))).status).toBe(200);
      expect(await api.select(`select file_bytes from envelopes where user_id = ${owner.id}`)).toEqual([
        { file_bytes: 2 * (3 * 10_000 + 2) },
      ]);
      expect((await keep(three)).status).toBe(204);
      await quota(-1);
      expect((await submit(three)).status).toBe(201);
    });

    test("a file that was uploaded counts once when it is submitted with long answers", async () => {
      const documents = [{ name: "Scan" }, ...[1, 2, 3].map((n) => ({ name: `Q${n}`, kind: "longText" }))];
      const { envelope, idOf } = await ask(api, { documents }, owner);
      const tus = createTus(api, envelope);
      await api.execute(`update users set storage_quota = ${1.5 * MIB} where id = ${owner.id}`);
      await tus.upload(idOf("Scan"), largePdfFile(MIB));
      const answer = "\u6f22".repeat(10_000);
      const answers = { [idOf("Q1")]: answer, [idOf("Q2")]: answer, [idOf("Q3")]: answer };
      expect((await tus.submit({ answers })).status).toBe(201);
    });

    test("a bulk send counts all of its envelopes from the start, and each once", async () => {
      const recipients = ["ada", "bea", "cyd"].map((name) => ({
        recipientName: name,
        recipientEmail: `${name}@example.org`,
      }));
      const envelope = { subject: "Taxes", message: LONG, documents: [{ name: "Payslip" }] };
      const tooMany = [...recipients, { recipientName: "dot", recipientEmail: "dot@example.org" }];
      expect(outcome(await owner.post("/api/requests/bulk", { envelope, recipients: tooMany }))).toEqual(
        full,
      );
      expect(await api.select("select id from bulk_sends")).toEqual([]);
      const sent = owner.post("/api/requests/bulk", { envelope, recipients });
      expect((await sent).status).toBe(202);
      const contact = { firstName: "Ada", notes: LONG };
      expect(outcome(await owner.post("/api/contacts", contact))).toEqual(full);
      await api.finishBackgroundWork();
      expect(await envelopes()).toHaveLength(3);
      expect(outcome(await owner.post("/api/contacts", contact))).toEqual(full);
      const [one] = (await owner.get("/api/requests")).body;
      await owner.delete(`/api/requests/${one.id}`);
      expect((await owner.post("/api/contacts", contact)).status).toBe(201);
    });
  },
);

describe("the settings of quotas", () => {
  const quotasOf = (variables: Record<string, string>) => appConfig(readVariables(variables)).quotas;

  test("default to 2 GB for an envelope, ten concurrent uploads and no limit for an account", () => {
    expect(quotasOf({})).toEqual({ envelopeBytes: 2048 * MIB, accountBytes: null, uploadsPerEnvelope: 10 });
    expect(quotasOf({ MAX_ENVELOPE_MB: "5", MAX_ACCOUNT_MB: "7" })).toMatchObject({
      envelopeBytes: 5 * MIB,
      accountBytes: 7 * MIB,
    });
  });

  test("allow one file of the maximum size, and none larger than an envelope", () => {
    expect(quotasOf({ MAX_FILE_MB: "5000" }).envelopeBytes).toBe(5000 * MIB);
    const small = readVariables({ MAX_FILE_MB: "5000", MAX_ENVELOPE_MB: "10" });
    expect(appConfig(small).maxFileBytes).toBe(10 * MIB);
  });
});

describe("the rules of quotas", () => {
  const quotas = {
    envelopeBytes: 10,
    accountBytes: 15,
    accountLimit: 15,
    workspaceLeft: null,
    uploadsPerEnvelope: 2,
  };

  test.each([
    [{ envelopeBytes: 0, accountBytes: 0, accountLimit: 15, workspaceLeft: null, uploads: 0 }, 10, null],
    [
      { envelopeBytes: 0, accountBytes: 0, accountLimit: 15, workspaceLeft: null, uploads: 0 },
      11,
      "storage_full",
    ],
    [{ envelopeBytes: 4, accountBytes: 12, accountLimit: 15, workspaceLeft: null, uploads: 1 }, 3, null],
    [
      { envelopeBytes: 4, accountBytes: 12, accountLimit: 15, workspaceLeft: null, uploads: 1 },
      4,
      "storage_full",
    ],
    [
      { envelopeBytes: 0, accountBytes: 0, accountLimit: 15, workspaceLeft: 2, uploads: 0 },
      3,
      "storage_full",
    ],
    [
      { envelopeBytes: 0, accountBytes: 0, accountLimit: 15, workspaceLeft: null, uploads: 2 },
      1,
      "too_many_uploads",
    ],
  ])("beside %j an upload of %i bytes: %p", (usage, bytes, rejection) => {
    expect<string | null>(quotaError(quotas, usage, bytes)).toBe(rejection);
  });

  test("without a limit for the account only the envelope's applies", () => {
    expect(
      bytesLeft(quotas, {
        envelopeBytes: 4,
        accountBytes: null,
        accountLimit: null,
        workspaceLeft: null,
        uploads: 0,
      }),
    ).toBe(6);
  });
});
