import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { takePath, updateClaimed } from "../../db/queries/file-claims";
import { findFileDelivery } from "../../db/queries/file-deliveries";
import { deliverFiles } from "../../worker/features/destinations/deliver-files";
import type { Destination } from "../../worker/ports/destination";
import { type ApiResponse, createClient, describeApi, programOf, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { type Outbox, startOutbox } from "../support/api/outbox";
import { joinAs } from "../support/api/team";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { startGateway } from "../support/servers/http-gateway";
import { startWebdavServer, type WebdavServer } from "../support/servers/webdav-server";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

const PRIVATE = { variables: { WEBHOOK_ALLOW_PRIVATE: "on" } };
const START = "2026-03-14T09:26:53.000Z";
const after = (seconds: number) => new Date(Date.parse(START) + seconds * 1000).toISOString();
const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const FOLDER = "Rita Recipient/2026/Papers";

describeApi("destinations", PRIVATE, (api) => {
  let dav: WebdavServer;
  beforeEach(async () => {
    await api.setClock(START);
    dav = startWebdavServer();
  });
  afterEach(async () => {
    await api.execute("delete from destinations");
    await dav.stop();
  });

  const input = (owner: SignedUp, more: object = {}) => ({
    workspaceId: owner.workspaceId,
    kind: "webdav",
    name: "Nextcloud",
    settings: { url: dav.url },
    credentials: { user: "office", password: "s:ecret ü" },
    ...more,
  });
  const create = async (owner: SignedUp, more: object = {}): Promise<ApiResponse["body"]> => {
    const response = await owner.post("/api/destinations", input(owner, more));
    expect([response.status, response.body]).toEqual([201, expect.anything()]);
    return response.body;
  };
  /** An envelope to which this file was submitted. */
  const submit = async (owner: SignedUp, file = pdfFile(), more: object = {}) => {
    const envelope = await sendEnvelope(owner, more);
    expect((await api.anonymous().post(linkOf(envelope), form({ Contract: file }))).status).toBe(201);
    return envelope;
  };
  const deliver = async (...times: string[]) => {
    await api.finishBackgroundWork();
    await api.runJobs(...times);
    await api.finishBackgroundWork();
  };
  const listed = async (owner: SignedUp, id: number): Promise<ApiResponse["body"]> =>
    (await owner.get("/api/destinations")).body.find((one: { id: number }) => one.id === id);
  const log = async (owner: SignedUp, id: number, query = "") =>
    (await owner.get(`/api/destinations/${id}/deliveries${query}`)).body;

  test("a submitted file is copied whole, once, with its manifest, and its envelope says where it is", async () => {
    const alice = await api.signUp();
    const destination = await create(alice);
    expect(destination).toMatchObject({
      kind: "webdav",
      account: "office",
      settings: { url: dav.url },
      when: "submitted",
      folderRule: "{clientFolder}/{year}/{subject}",
      includeAnswers: true,
      state: "active",
      waiting: 0,
    });
    expect(JSON.stringify(destination)).not.toContain("ecret");
    const { id } = await submit(alice, pdfFile("scan.pdf", "Signed"));
    await deliver();
    expect(dav.names()).toEqual([`${FOLDER}/Contract - Rita Recipient.pdf`, `${FOLDER}/manifest.csv`]);
    expect(dav.text(`${FOLDER}/Contract - Rita Recipient.pdf`)).toContain("Signed");
    expect(dav.text(`${FOLDER}/manifest.csv`)).toContain("Contract - Rita Recipient.pdf,scan.pdf");
    const { body: envelope } = await alice.get(`/api/requests/${id}`);
    expect(envelope.submissions[0].deliveries).toMatchObject([
      {
        destination: { id: destination.id, name: "Nextcloud", kind: "webdav" },
        state: "delivered",
        path: `${FOLDER}/Contract - Rita Recipient.pdf`,
        url: null,
        at: START,
        failure: null,
      },
    ]);
    expect(await log(alice, destination.id)).toMatchObject([
      { fileName: "manifest.csv", file: null, documentName: null, state: "delivered" },
      { fileName: "scan.pdf", documentName: "Contract", requestId: id, attempts: 1, deliveredAt: START },
    ]);
    expect(await listed(alice, destination.id)).toMatchObject({
      waiting: 0,
      failed: 0,
      lastDeliveredAt: START,
    });
    const { body: events } = await alice.get(`/api/requests/${id}/timeline`);
    expect(events.filter(({ kind }: { kind: string }) => kind === "delivered")).toMatchObject([
      { detail: `Nextcloud: ${FOLDER}` },
    ]);
    await deliver(after(DAY));
    expect(dav.names()).toHaveLength(2);
  });

  const move = async (owner: SignedUp, id: number, workspaceId: number) => {
    const { documents } = (await owner.get(`/api/requests/${id}`)).body;
    const returned = [{ documentId: documents[0].id, reason: "Blurry" }];
    await owner.post(`/api/requests/${id}/review`, { return: returned });
    const moved = { ...ENVELOPE, documents, workspaceId };
    expect((await owner.put(`/api/requests/${id}`, moved)).status).toBe(200);
  };

  test("an envelope that has moved no longer says where its files lie at the former workspace's destination", async () => {
    const alice = await api.signUp();
    const { body: second } = await alice.post("/api/workspaces", { name: "Taxes" });
    await create(alice);
    const { id } = await submit(alice, pdfFile(), { workspaceId: alice.workspaceId });
    await deliver();
    expect(dav.names()).toHaveLength(2);
    await move(alice, id, second.id);
    const { body: envelope } = await alice.get(`/api/requests/${id}`);
    expect(envelope.submissions).toMatchObject([{ deliveries: [] }]);
    const { body: events } = await alice.get(`/api/requests/${id}/timeline`);
    expect(events.find(({ kind }: { kind: string }) => kind === "delivered")).toMatchObject({ detail: null });
    expect(JSON.stringify([envelope, events])).not.toContain("Nextcloud");
  });

  test("an envelope that has moved to another workspace delivers nothing more to the former one's", async () => {
    const alice = await api.signUp();
    const { body: second } = await alice.post("/api/workspaces", { name: "Taxes" });
    const { id: place } = await create(alice);
    await alice.patch(`/api/destinations/${place}`, { state: "paused" });
    const { id } = await submit(alice, pdfFile(), { workspaceId: alice.workspaceId });
    await move(alice, id, second.id);
    await alice.patch(`/api/destinations/${place}`, { state: "active" });
    await deliver();
    expect(dav.names()).toEqual([]);
    expect((await listed(alice, place)).waiting).toBe(0);
    const [{ id: delivery }] = await log(alice, place);
    await alice.post(`/api/destinations/${place}/deliveries/${delivery}/redeliver`);
    await deliver();
    expect(dav.names()).toEqual([]);
  });

  test("the contact's folder is where its files go, and a replaced answer gets the next name", async () => {
    const alice = await api.signUp();
    await create(alice, { folderRule: "{clientFolder}", includeAnswers: false });
    const contact = { firstName: "Rita", email: "rita@example.com", folder: "Clients/1042" };
    const { body } = await alice.post("/api/contacts", contact);
    const envelope = await submit(alice, pdfFile(), { contactId: body.id });
    const [{ id: documentId }] = (await alice.get(`/api/requests/${envelope.id}`)).body.documents;
    await deliver();
    await alice.post(`/api/requests/${envelope.id}/review`, { return: [{ documentId, reason: "Blurry" }] });
    await api.setClock(after(60));
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile("b.pdf", "Better") }));
    await deliver();
    expect(dav.names()).toEqual([
      "Clients/1042/Contract - Rita Recipient (2).pdf",
      "Clients/1042/Contract - Rita Recipient.pdf",
    ]);
    expect(dav.text("Clients/1042/Contract - Rita Recipient (2).pdf")).toContain("Better");
  });

  test("a hostile recipient escapes nowhere", async () => {
    const alice = await api.signUp();
    await create(alice, { includeAnswers: false, folderRule: "{recipient}" });
    for (const recipientName of ["../../etc", "CON", "🦄".repeat(60), "a/b"])
      await submit(alice, pdfFile(), { recipientName });
    await deliver();
    const folders = dav.names().map((path) => path.split("/"));
    expect(folders.map((parts) => parts.length)).toEqual([2, 2, 2, 2]);
    expect(folders.map(([folder]) => folder).filter((folder) => /^\.|[/\\]/.test(folder ?? ""))).toEqual([]);
  });

  test("with “accepted”, a file goes once its document is accepted, and not if that is taken back before", async () => {
    const alice = await api.signUp();
    const { id: destinationId } = await create(alice, { when: "accepted", includeAnswers: false });
    const { id } = await submit(alice);
    await deliver();
    expect(dav.names()).toEqual([]);
    const [{ id: documentId }] = (await alice.get(`/api/requests/${id}`)).body.documents;
    await alice.patch(`/api/destinations/${destinationId}`, { state: "paused" });
    await alice.post(`/api/requests/${id}/review`, { accept: [documentId] });
    await deliver();
    expect(await listed(alice, destinationId)).toMatchObject({ state: "paused", waiting: 1 });
    await alice.post(`/api/requests/${id}/review`, { undo: [documentId] });
    expect(await listed(alice, destinationId)).toMatchObject({ waiting: 0 });
    await alice.post(`/api/requests/${id}/review`, { accept: [documentId] });
    await alice.patch(`/api/destinations/${destinationId}`, { state: "active" });
    await deliver();
    expect(dav.names()).toHaveLength(1);
  });

  const FORM = [{ name: "Contract" }, { name: "Name", kind: "text" }, { name: "Account", kind: "text" }];
  /** A submitted file with two answers, and how the requestor reviews it: documents are named by their place. */
  const submitForm = async (owner: SignedUp) => {
    const envelope = await sendEnvelope(owner, { documents: FORM });
    const [contract, name, account] = envelope.documents.map(({ id }: { id: number }) => id);
    const parts = form({ Contract: pdfFile() });
    parts.append("Name", "Rita Example");
    parts.append("Account", "Wrong account");
    expect((await api.anonymous().post(linkOf(envelope), parts)).status).toBe(201);
    const review = async (decisions: object) =>
      expect((await owner.post(`/api/requests/${envelope.id}/review`, decisions)).status).toBe(200);
    return { envelope, review, contract, name, account };
  };

  for (const [how, decisionOn] of [
    ["undone", (ids: number[]) => ({ undo: ids })],
    ["returned", (ids: number[]) => ({ return: ids.map((documentId) => ({ documentId, reason: "Wrong" })) })],
  ] as const)
    test(`with “accepted”, neither answers nor a manifest go once all acceptances are ${how}`, async () => {
      const alice = await api.signUp();
      const { id } = await create(alice, { when: "accepted" });
      await alice.patch(`/api/destinations/${id}`, { state: "paused" });
      const { review, contract, name, account } = await submitForm(alice);
      await review({ accept: [contract, name, account] });
      expect(await listed(alice, id)).toMatchObject({ waiting: 3 });
      await review(decisionOn([contract, account]));
      expect(await log(alice, id)).toMatchObject([{ fileName: "answers.html", state: "waiting" }]);
      await review(decisionOn([name]));
      expect(await log(alice, id)).toEqual([]);
      await alice.patch(`/api/destinations/${id}`, { state: "active" });
      await deliver(after(60));
      expect(dav.names()).toEqual([]);
    });

  test("with “accepted”, the page has the accepted answers alone, and those that are accepted later follow once", async () => {
    const alice = await api.signUp();
    await create(alice, { when: "accepted" });
    const { review, name, account, contract } = await submitForm(alice);
    await review({ accept: [name] });
    await deliver();
    expect(dav.names()).toEqual([`${FOLDER}/answers.html`]);
    expect(dav.text(`${FOLDER}/answers.html`)).toContain("Rita Example");
    expect(dav.text(`${FOLDER}/answers.html`)).not.toContain("Account");
    // Undone and accepted again, it is the same.
    await review({ undo: [name] });
    await review({ accept: [name] });
    await deliver(after(10 * 60));
    expect(dav.names()).toHaveLength(1);
    await api.setClock(after(20 * 60));
    await review({ accept: [account] });
    await review({ accept: [contract] });
    await deliver(after(21 * 60));
    expect(dav.names()).toEqual(
      ["Contract - Rita Recipient.pdf", "answers.html", "manifest.csv"].map((one) => `${FOLDER}/${one}`),
    );
    await deliver(after(30 * 60), after(DAY));
    expect(dav.names().filter((one) => one.includes("(2)"))).toEqual([`${FOLDER}/answers (2).html`]);
    expect(dav.text(`${FOLDER}/answers (2).html`)).toMatch(/Rita Example.*Wrong account/s);
  });

  test("with “accepted”, an answer that is accepted while the page of others is sent follows", async () => {
    const alice = await api.signUp();
    await create(alice, { when: "accepted" });
    const { review, name, account } = await submitForm(alice);
    dav.respond = async ({ method }) => {
      if (method !== "MOVE") return undefined;
      dav.respond = undefined;
      await review({ accept: [account] });
      return undefined;
    };
    await review({ accept: [name] });
    await deliver();
    expect(dav.text(`${FOLDER}/answers.html`)).not.toContain("Wrong account");
    await deliver(after(10 * 60));
    expect(dav.names()).toEqual([`${FOLDER}/answers (2).html`, `${FOLDER}/answers.html`]);
    expect(dav.text(`${FOLDER}/answers (2).html`)).toMatch(/Rita Example.*Wrong account/s);
  });

  test("with “accepted”, the manifest lists files that are accepted later too", async () => {
    const alice = await api.signUp();
    await create(alice, { when: "accepted" });
    const envelope = await sendEnvelope(alice, { documents: [{ name: "A" }, { name: "B" }] });
    const files = form({ A: pdfFile("a.pdf"), B: pdfFile("b.pdf") });
    expect((await api.anonymous().post(linkOf(envelope), files)).status).toBe(201);
    for (const { id } of envelope.documents) {
      await alice.post(`/api/requests/${envelope.id}/review`, { accept: [id] });
      await deliver();
    }
    expect(dav.text(`${FOLDER}/manifest.csv`)).not.toContain("b.pdf");
    await deliver(after(10 * 60), after(DAY));
    expect(dav.names().filter((one) => one.includes("manifest"))).toHaveLength(2);
    expect(dav.text(`${FOLDER}/manifest (2).csv`)).toMatch(/a\.pdf.*b\.pdf/s);
  });

  test("what somebody has submitted goes to their folder, under their name, though the envelope goes to another one since", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice);
    await alice.patch(`/api/destinations/${id}`, { state: "paused" });
    const contactOf = async (firstName: string, company: string) => {
      const email = `${firstName.toLowerCase()}@example.com`;
      const { body } = await alice.post("/api/contacts", { firstName, company, email });
      return { contactId: body.id, recipientName: firstName, recipientEmail: email };
    };
    const [olga, nina] = [await contactOf("Olga", "Old Ltd"), await contactOf("Nina", "New Ltd")];
    const documents = [{ name: "A" }, { name: "B" }, { name: "Q", kind: "text" }];
    const envelope = await sendEnvelope(alice, { ...olga, documents });
    const sendIn = async (link: string, fields: Parameters<typeof form>[0], answer?: string) => {
      const parts = form(fields);
      if (answer) parts.append("Q", answer);
      expect((await api.anonymous().post(link, parts)).status).toBe(201);
    };
    await sendIn(linkOf(envelope), { A: pdfFile("a.pdf"), B: pdfFile("b.pdf") }, "Mine");
    const returned = [{ documentId: envelope.documents[1].id, reason: "Blurry" }];
    await alice.post(`/api/requests/${envelope.id}/review`, { return: returned });
    await api.setClock(after(60));
    const changed = await alice.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, ...nina, documents });
    expect(changed.status).toBe(200);
    await api.setClock(after(120));
    await sendIn(linkOf(changed.body), { B: pdfFile("b.pdf") });
    await alice.patch(`/api/destinations/${id}`, { state: "active" });
    await deliver(after(180));
    expect(dav.names()).toEqual([
      ...["B - Nina.pdf", "manifest.csv"].map((name) => `New Ltd/2026/Papers/${name}`),
      ...["A - Olga.pdf", "B - Olga.pdf", "answers.html", "manifest.csv"].map(
        (name) => `Old Ltd/2026/Papers/${name}`,
      ),
    ]);
    expect(dav.text("Old Ltd/2026/Papers/answers.html")).toMatch(/Olga.*olga@example.com.*Mine/s);
    expect(dav.text("Old Ltd/2026/Papers/answers.html")).not.toContain("Nina");
  });

  test("a failing destination gets eight tries over two days; then it is told, and can be tried again", async () => {
    const alice = await api.signUp();
    const receiver = startGateway();
    await alice.post("/api/webhooks", {
      url: receiver.url,
      events: ["destination.failed", "file.delivered"],
    });
    const { id } = await create(alice, { includeAnswers: false });
    dav.respond = () => new Response("<h1>Maintenance</h1>", { status: 503 });
    await submit(alice);
    await deliver();
    const [{ nextAttemptAt }] = await log(alice, id, "?state=waiting");
    expect(nextAttemptAt).toBe(after(5));
    expect(await listed(alice, id)).toMatchObject({ waiting: 1, retried: 1 });
    let at = nextAttemptAt;
    let attempts = 1;
    for (; at !== null && attempts < 20; attempts += 1) {
      await deliver(at);
      [{ nextAttemptAt: at }] = await log(alice, id);
    }
    expect(attempts).toBe(8);
    const [failed] = await log(alice, id, "?state=failed");
    expect(failed).toMatchObject({
      attempts: 8,
      failure: "unreachable",
      failureText: "503 Service Unavailable",
    });
    expect(await listed(alice, id)).toMatchObject({ state: "active", waiting: 0, retried: 0, failed: 1 });
    const alerts = () => api.select("select job from job_runs where job like 'alert:files%'");
    await deliver(after(3 * DAY));
    expect(await alerts()).toHaveLength(1);
    await deliver(after(4 * DAY));
    expect(await alerts()).toEqual([]);
    const subjects = (await api.mails()).filter(({ to }) => to === alice.email).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("Nextcloud"))).toEqual([
      "Files were not delivered to “Nextcloud”",
    ]);
    await deliver();
    const [{ data, type }] = receiver.requests.map(({ body }) => JSON.parse(body));
    expect([type, data.destination]).toEqual([
      "destination.failed",
      { id, name: "Nextcloud", kind: "webdav" },
    ]);
    expect(data.delivery).toMatchObject({ id: failed.id, state: "failed" });
    dav.respond = undefined;
    const again = await alice.post(`/api/destinations/${id}/deliveries/${failed.id}/redeliver`);
    expect([again.status, again.body.state]).toEqual([200, "waiting"]);
    await deliver();
    expect(dav.names()).toHaveLength(1);
    await deliver();
    expect(receiver.requests.map(({ body }) => JSON.parse(body).type)).toEqual([
      "destination.failed",
      "file.delivered",
    ]);
    await receiver.stop();
  });

  test("a file during whose eight tries the server has stopped fails, and its workspace is told", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, { includeAnswers: false });
    dav.respond = () => new Response(null, { status: 503 });
    await submit(alice);
    await deliver();
    await api.execute(
      "update file_deliveries set attempts = 8, failure = null, failure_text = null where state = 'waiting'",
    );
    const tried = dav.requests.length;
    await deliver(after(HOUR));
    expect(dav.requests).toHaveLength(tried);
    expect(await log(alice, id)).toMatchObject([
      { state: "failed", failureText: "The server stopped during every attempt" },
    ]);
    const subjects = (await api.mails()).filter(({ to }) => to === alice.email).map(({ subject }) => subject);
    expect(subjects).toContain("Files were not delivered to “Nextcloud”");
    dav.respond = undefined;
    const [{ id: failed }] = await log(alice, id);
    expect((await alice.post(`/api/destinations/${id}/deliveries/${failed}/redeliver`)).status).toBe(200);
    await deliver();
    expect(dav.names()).toHaveLength(1);
  });

  test("Retry-After is heeded, and no other file is tried before", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, { includeAnswers: false });
    await alice.patch(`/api/destinations/${id}`, { state: "paused" });
    for (const subject of ["One", "Two"]) await submit(alice, pdfFile(), { subject });
    await deliver();
    const before = dav.requests.length;
    dav.respond = () => new Response(null, { status: 429, headers: { "Retry-After": "120" } });
    await alice.patch(`/api/destinations/${id}`, { state: "active" });
    await deliver(after(100));
    expect(dav.requests).toHaveLength(before + 1);
    expect(await log(alice, id)).toMatchObject([
      { attempts: 0, nextAttemptAt: after(120) },
      { attempts: 1, nextAttemptAt: after(120) },
    ]);
    dav.respond = undefined;
    await deliver(after(120));
    expect(dav.names()).toHaveLength(2);
  });

  test("ended access is no try: files wait, one mail is sent, and all go once it is connected again", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, { includeAnswers: false });
    dav.respond = () => new Response(null, { status: 401 });
    await submit(alice, pdfFile(), { subject: "One" });
    await submit(alice, pdfFile(), { subject: "Two" });
    const alerts = () => api.select("select job from job_runs where job like 'alert:files%'");
    await deliver(after(30), after(HOUR));
    expect(await alerts()).toEqual([]);
    await deliver(after(2 * HOUR + 60), after(5 * DAY));
    expect(await alerts()).toHaveLength(1);
    expect(await listed(alice, id)).toMatchObject({ state: "reconnect", waiting: 2, failed: 0 });
    expect((await log(alice, id)).map(({ attempts }: { attempts: number }) => attempts)).toEqual([0, 0]);
    const mails = (await api.mails()).filter(
      ({ to, subject }) => to === alice.email && /Nextcloud/.test(subject),
    );
    expect(mails.map(({ subject }) => subject)).toEqual(["Sign in again: “Nextcloud”"]);
    dav.respond = undefined;
    const wrong = await alice.patch(`/api/destinations/${id}`, { credentials: { user: "a", password: "b" } });
    expect([wrong.status, wrong.body.code]).toEqual([403, "reauthentication_required"]);
    await alice.post("/api/reauthenticate", { password: alice.password });
    const refused = await alice.patch(`/api/destinations/${id}`, {
      credentials: { user: "a", password: "b" },
    });
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        message: "The destination does not accept these credentials: 401 Who are you?",
        code: "destination_refused",
        params: { reason: "401 Who are you?" },
      },
    ]);
    const { body } = await alice.post(`/api/destinations/${id}/test`);
    expect(body).toMatchObject({ ok: true, path: expect.stringContaining(".doculopes-test-") });
    await deliver(after(5 * DAY + HOUR));
    expect(await listed(alice, id)).toMatchObject({ state: "active", waiting: 0 });
    expect(dav.names()).toHaveLength(2);
    expect(await alerts()).toEqual([]);
  });

  test("while a destination hangs, no other one, mail or webhook waits; then it gets its file", async () => {
    const alice = await api.signUp();
    const receiver = startGateway();
    const other = startWebdavServer();
    await alice.post("/api/webhooks", { url: receiver.url, events: ["request.submitted"] });
    const { id } = await create(alice, { includeAnswers: false });
    await create(alice, { includeAnswers: false, name: "NAS", settings: { url: other.url } });
    const hung = Promise.withResolvers<Response>();
    dav.respond = () => hung.promise;
    await submit(alice);
    await waitFor("the other destination", () => other.names().length > 0);
    await waitFor("the webhook", () => receiver.requests.length > 0);
    await waitFor("the mail", async () => (await api.mails()).some(({ to }) => to === alice.email));
    expect((await log(alice, id))[0]).toMatchObject({ state: "waiting", attempts: 1 });
    dav.respond = undefined;
    hung.resolve(new Response(null, { status: 504 }));
    await deliver(after(5));
    expect([dav.names().length, other.names().length]).toEqual([1, 1]);
    await Promise.all([receiver.stop(), other.stop()]);
  });

  test("an account whose destinations all hang, in several workspaces, leaves room for the files of others", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const other = startWebdavServer();
    const { body: second } = await alice.post("/api/workspaces", { name: "Second" });
    for (const workspaceId of [alice.workspaceId, second.id])
      for (let index = 0; index < 3; index += 1)
        await create(alice, { workspaceId, includeAnswers: false, settings: { url: `${dav.url}/` } });
    await create(bob, { includeAnswers: false, settings: { url: other.url } });
    const hung = Promise.withResolvers<Response>();
    dav.respond = () => hung.promise;
    const before = dav.requests.length;
    await submit(alice);
    await submit(alice, pdfFile(), { workspaceId: second.id });
    await waitFor("what hangs", () => dav.requests.length >= before + 3);
    await submit(bob);
    await waitFor("the file of the other account", () => other.names().length > 0);
    expect(dav.requests.length).toBe(before + 3);
    dav.respond = undefined;
    hung.resolve(new Response(null, { status: 504 }));
    await deliver(after(5), after(70));
    expect(dav.names().length).toBe(6);
    await other.stop();
  });

  test("an account has a few tests under way at most, each of which may hang, and others test meanwhile", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const { id } = await create(alice);
    const hung = Promise.withResolvers<Response>();
    dav.respond = () => hung.promise;
    const before = dav.requests.length;
    const statuses: number[] = [];
    const tests = Array.from({ length: 20 }, async () =>
      statuses.push((await alice.post(`/api/destinations/${id}/test`)).status),
    );
    // Each run of a Worker has connections of its own.
    const most = api.runtime === "bun" ? 5 : 20;
    await waitFor("the tests", () => dav.requests.length === before + most && statuses.length === 20 - most);
    expect(statuses).toEqual(Array(20 - most).fill(429));
    const other = startWebdavServer();
    await create(bob, { settings: { url: other.url } });
    dav.respond = undefined;
    hung.resolve(new Response(null, { status: 504 }));
    await Promise.all(tests);
    expect((await alice.post(`/api/destinations/${id}/test`)).body).toMatchObject({ ok: true });
    await other.stop();
  });

  test("a full destination is tried hourly, by itself", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, { includeAnswers: false });
    dav.respond = ({ method }) => (method === "PUT" ? new Response("Quota", { status: 507 }) : undefined);
    await submit(alice);
    await deliver();
    expect(await listed(alice, id)).toMatchObject({ state: "full", waiting: 1 });
    dav.respond = undefined;
    await deliver(after(HOUR - 60));
    expect(dav.names()).toEqual([]);
    await deliver(after(HOUR + 60));
    expect(await listed(alice, id)).toMatchObject({ state: "active", waiting: 0 });
    expect(dav.names()).toHaveLength(1);
  });

  test.each([
    ["redirects", () => Response.redirect("http://169.254.169.254/latest")],
    ["answers HTML", () => new Response("<html>Welcome</html>")],
    [
      "stores nothing",
      ({ method }: Request) => (method === "PUT" ? new Response(null, { status: 201 }) : undefined),
    ],
  ])("a server that %s is refused", async (_, respond) => {
    const alice = await api.signUp();
    dav.respond = respond;
    const { status, body } = await alice.post("/api/destinations", input(alice));
    expect([status, body.code]).toEqual([400, "destination_refused"]);
    expect((await alice.get("/api/destinations")).body).toEqual([]);
    expect(dav.requests.every(({ path }) => path.startsWith(".doculopes-test-"))).toBe(true);
  });

  test("a folder that is not there is told so: when it is added, tested, and for each file", async () => {
    const alice = await api.signUp();
    const gone = { settings: { url: `${dav.url}/Gone` } };
    const { status, body } = await alice.post("/api/destinations", input(alice, gone));
    expect([status, body.code]).toEqual([400, "destination_refused"]);
    expect(body.message).toStartWith("The destination’s folder does not exist: 409");
    const { id } = await create(alice, { includeAnswers: false });
    await api.execute(
      `update destinations set settings = '${JSON.stringify(gone.settings)}' where id = ${id}`,
    );
    expect((await alice.post(`/api/destinations/${id}/test`)).body).toMatchObject({
      ...{ ok: false, code: "destination_refused" },
      message: expect.stringContaining("409"),
    });
    await submit(alice);
    await deliver();
    expect(await log(alice, id)).toMatchObject([{ state: "waiting", failure: "missing", attempts: 1 }]);
    const { body: found } = await alice.get("/api/requests");
    expect(found[0].submissions[0].deliveries).toMatchObject([{ state: "waiting", failure: "missing" }]);
  });

  test("a server that stops storing is told, and nothing stands under the file's name", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, { includeAnswers: false });
    dav.respond = ({ method }) => (method === "PUT" ? new Response(null, { status: 201 }) : undefined);
    await submit(alice);
    await deliver();
    expect((await log(alice, id))[0]).toMatchObject({
      state: "waiting",
      failure: "refused",
      failureText: expect.stringContaining("stored 0 of"),
    });
    expect(dav.names()).toEqual([]);
  });

  test("a move whose answer is lost is recognized: the file stands there once", async () => {
    const alice = await api.signUp();
    await create(alice, { includeAnswers: false });
    let moves = 0;
    dav.after = ({ method }) => {
      if (method !== "MOVE") return undefined;
      moves += 1;
      return new Response(null, { status: 502 });
    };
    await submit(alice);
    await deliver();
    dav.after = undefined;
    await deliver(after(10));
    expect([moves, dav.names()]).toEqual([1, [`${FOLDER}/Contract - Rita Recipient.pdf`]]);
  });

  test("earlier files are delivered on request, once, and only those that are asked for", async () => {
    const alice = await api.signUp();
    const one = await submit(alice, pdfFile("a.pdf"), { subject: "One" });
    await submit(alice, pdfFile("b.pdf"), { subject: "Two" });
    const { id } = await create(alice, { includeAnswers: false });
    const bob = await api.signUp();
    const foreign = await sendEnvelope(bob);
    const call = (body?: object) => alice.post(`/api/destinations/${id}/backfill`, body);
    expect((await call({ requestIds: [one.id, foreign.id] })).body.code).toBe("envelope_not_found");
    expect((await call({ from: after(60) })).body).toEqual({ files: 0, bytes: 0 });
    const counted = async (query = "") =>
      (await alice.get(`/api/destinations/${id}/backfill${query}`)).body.files;
    expect([await counted(), await counted(`?from=${after(60)}`)]).toEqual([2, 0]);
    const first = await call({ requestIds: [one.id] });
    expect([first.status, first.body]).toEqual([202, { files: 1, bytes: pdfFile().size }]);
    expect(await counted()).toBe(1);
    expect((await call()).body.files).toBe(1);
    expect(await counted()).toBe(0);
    expect((await call({})).body).toEqual({ files: 0, bytes: 0 });
    await deliver();
    expect(dav.names()).toHaveLength(2);
    // One that failed for good is not there.
    await api.execute(
      `update file_deliveries set state = 'failed', attempts = 8 where envelope_id = ${one.id}`,
    );
    for (const path of dav.names()) dav.files.delete(path);
    expect(await counted()).toBe(1);
    expect((await call({})).body).toEqual(first.body);
    expect((await call({})).body).toEqual({ files: 0, bytes: 0 });
    await deliver();
    expect(dav.names()).toHaveLength(1);
    expect(await log(alice, id, "?state=delivered")).toHaveLength(2);
  });

  test("Redeliver makes again what is lost there, and nothing new of what is there", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, { includeAnswers: false });
    await submit(alice);
    await deliver();
    const [{ id: deliveryId }] = await log(alice, id);
    const path = `${FOLDER}/Contract - Rita Recipient.pdf`;
    const again = async () => {
      expect((await alice.post(`/api/destinations/${id}/deliveries/${deliveryId}/redeliver`)).status).toBe(
        200,
      );
      await deliver();
      expect(await log(alice, id)).toMatchObject([{ state: "delivered", path }]);
      return dav.names();
    };
    expect(await again()).toEqual([path]);
    dav.files.delete(path);
    expect(await again()).toEqual([path]);
  });

  test("files that are delivered again and again fill no timeline without an end", async () => {
    const alice = await api.signUp();
    const destination = await create(alice, { includeAnswers: false });
    const { id } = await submit(alice);
    await deliver();
    const events = async () =>
      (await api.select(`select count(*) as n from envelope_events where envelope_id = ${id}`))[0]?.n;
    const before = Number(await events());
    await api.execute(
      `insert into envelope_events (envelope_id, kind, actor, at)
        with recursive row(n) as (select 1 union all select n + 1 from row where n < 10000)
        select ${id}, 'reminded', 'requestor', '${START}' from row`,
    );
    const [{ id: deliveryId }] = await log(alice, destination.id);
    await alice.post(`/api/destinations/${destination.id}/deliveries/${deliveryId}/redeliver`);
    await deliver();
    expect(await log(alice, destination.id)).toMatchObject([{ state: "delivered" }]);
    expect(await events()).toBe(before + 10_000);
  });

  test("answers go beside the files as a page, without confidential ones", async () => {
    const alice = await api.signUp();
    await create(alice);
    const envelope = await sendEnvelope(alice, {
      documents: [
        { name: "Name", kind: "text" },
        { name: "Number", kind: "text", confidential: true },
      ],
    });
    const [name, number] = (await alice.get(`/api/requests/${envelope.id}`)).body.documents;
    const answers = { [name.id]: "Rita Example", [number.id]: "4711-secret" };
    const sent = await api.anonymous().post(`${linkOf(envelope)}/submit`, { answers });
    expect(sent.status).toBe(201);
    await deliver();
    expect(dav.names()).toEqual([`${FOLDER}/answers.html`]);
    const page = dav.text(`${FOLDER}/answers.html`);
    expect(page).toContain("Rita Example");
    expect(page).not.toContain("4711");
  });

  test("the kinds that the operator has set up are listed", async () => {
    const { status, body } = await (await api.signUp()).get("/api/destinations/kinds");
    expect([status, body]).toEqual([200, { kinds: ["s3", "webdav"] }]);
  });

  test("what is not set up, private or foreign is refused, with the path of the value", async () => {
    const alice = await api.signUp();
    const folder = { kind: "folder", settings: { path: "clients" } };
    const codeOf = async (more: object) =>
      (await alice.post("/api/destinations", input(alice, more))).body.code;
    expect(await codeOf(folder)).toBe("destination_unavailable");
    expect(await codeOf({ workspaceId: 999_999 })).toBe("workspace_not_found");
    const bad = await alice.post(
      "/api/destinations",
      input(alice, { settings: { url: "ftp://files.example.com" } }),
    );
    expect([bad.body.code, bad.body.issues]).toMatchObject(["validation", [{ path: "settings.url" }]]);
    const nobody = await alice.post(
      "/api/destinations",
      input(alice, { settings: { url: "http://127.0.0.1:9/" } }),
    );
    expect([nobody.status, nobody.body.code]).toEqual([400, "destination_unreachable"]);
    const bucket = { endpoint: "http://127.0.0.1:9", bucket: "b", region: "r" };
    for (const [path, key, region] of [
      ["credentials.accessKeyId", "ключ", "r"],
      ["settings.region", "key", "a\nb"],
    ]) {
      const credentials = { accessKeyId: key, secretAccessKey: "secret" };
      const s3 = { kind: "s3", settings: { ...bucket, region }, credentials };
      const { status, body } = await alice.post("/api/destinations", input(alice, s3));
      expect([status, body.issues?.map((issue: { path: string }) => issue.path)]).toEqual([400, [path]]);
    }
    for (let count = 0; count < 5; count += 1) await create(alice);
    expect(await codeOf({})).toBe("too_many_destinations");
  });

  test("only owners see destinations; programs read and deliver again, and change nothing", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice);
    const member = await joinAs(api, alice, "member");
    expect((await member.get(`/api/destinations?workspaceId=${alice.workspaceId}`)).body.code).toBe(
      "role_required",
    );
    expect((await member.delete(`/api/destinations/${id}`)).body.code).toBe("role_required");
    const { token } = (await alice.post("/api/tokens", { name: "Program", scope: "write" })).body;
    const program = programOf(api, token);
    expect((await program.get("/api/destinations")).body).toHaveLength(1);
    expect((await program.post(`/api/destinations/${id}/test`)).body.ok).toBe(true);
    expect((await program.post("/api/destinations", input(alice))).body.code).toBe("token_not_allowed");
    expect((await program.patch(`/api/destinations/${id}`, { name: "B" })).body.code).toBe(
      "token_not_allowed",
    );
    expect((await program.delete(`/api/destinations/${id}`)).body.code).toBe("token_not_allowed");
    expect((await alice.patch(`/api/destinations/${id}`, { name: "B" })).body.name).toBe("B");
    expect((await alice.delete(`/api/destinations/${id}`)).status).toBe(204);
    expect((await alice.get(`/api/destinations/${id}/deliveries`)).body.code).toBe("destination_not_found");
    const { body: activity } = await alice.get(`/api/workspaces/${alice.workspaceId}/activity`);
    expect(activity.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(["destination.deleted", "destination.changed", "destination.created"]),
    );
  });

  test("a destination with very much is removed at once, and its deliveries later, whatever interrupts that", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice);
    const { id: other } = await create(alice);
    const envelope = await sendEnvelope(alice);
    const all = [
      { id, waiting: 5001 },
      { id: other, waiting: 1 },
    ];
    for (const one of all)
      await api.execute(`insert into file_deliveries (destination_id, envelope_id, page, submitted_at, state_at, created_at)
        with recursive item(nth) as (select 1 union all select nth + 1 from item where nth < ${one.waiting})
        select ${one.id}, ${envelope.id}, 'manifest.csv', nth, '${START}', '${START}' from item`);
    const waiting = () =>
      api.select(
        `select destination_id as id, count(*) as waiting from file_deliveries where envelope_id = ${envelope.id} group by 1`,
      );
    const interrupt = (event: string) =>
      api.execute(`create trigger killed ${event} begin select raise(abort, 'killed'); end`);

    await interrupt("before update of workspace_id on destinations");
    expect((await alice.delete(`/api/destinations/${id}`)).status).toBe(500);
    await api.execute("drop trigger killed");
    expect([await waiting(), (await listed(alice, id)).waiting]).toEqual([all, 5001]);

    await interrupt("before delete on file_deliveries");
    expect((await alice.delete(`/api/destinations/${id}`)).status).toBe(204);
    await deliver(after(60));
    expect((await alice.get("/api/destinations")).body).toMatchObject([{ id: other, waiting: 1 }]);
    expect((await alice.post(`/api/destinations/${id}/test`)).status).toBe(404);
    expect((await alice.get("/api/workspaces")).body).toHaveLength(1);
    expect(await waiting()).toEqual(all);
    await api.execute("drop trigger killed");

    await deliver(after(2 * 60), after(3 * 60));
    expect(await waiting()).toEqual(all.slice(1));
    expect(await api.select(`select id from destinations where id = ${id}`)).toEqual([]);
    expect(await api.select("select id from workspaces where deleted_at is not null")).toEqual([]);
  });

  test("the stored password goes to no other server", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice);
    const other = startWebdavServer();
    const change = (more: object) =>
      alice.patch(`/api/destinations/${id}`, { settings: { url: other.url }, ...more });
    const refused = await change({});
    expect([refused.status, refused.body.issues]).toMatchObject([
      400,
      [{ path: "credentials.user" }, { path: "credentials.password" }],
    ]);
    expect(other.requests).toEqual([]);
    const elsewhere = await alice.patch(`/api/destinations/${id}`, { settings: { url: `${dav.url}/` } });
    expect(elsewhere.status).toBe(200);
    const { body } = await change({ credentials: { user: "office", password: "s:ecret ü" } });
    expect(body.settings).toEqual({ url: other.url });
    await other.stop();
  });

  test("of two changes at once, the password of one is not stored for the server of the other", async () => {
    const alice = await api.signUp();
    const bob = await joinAs(api, alice, "owner");
    const theirs = { settings: { url: dav.url }, credentials: { user: "office", password: "s:ecret ü" } };
    const other = startWebdavServer({ user: "bob", password: "bob" });
    const others = { settings: { url: other.url }, credentials: { user: "bob", password: "bob" } };
    const { id } = await create(alice, others);
    const change = (owner: SignedUp, changes: object) => owner.patch(`/api/destinations/${id}`, changes);
    /** What the first one is told that changes a part, while the server that is tried waits for the second one. */
    const changeMeanwhile = async (
      tried: WebdavServer,
      [part, first]: object[],
      [whole, second]: object[],
    ) => {
      const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      tried.respond = async () => {
        begun.resolve();
        await held.promise;
        return undefined;
      };
      const changed = change(first as SignedUp, part ?? {});
      await begun.promise;
      expect((await change(second as SignedUp, whole ?? {})).status).toBe(200);
      held.resolve();
      tried.respond = undefined;
      const { status, body } = await changed;
      return [status, body.code, (await listed(alice, id)).settings];
    };
    const ended = [409, "changed_meanwhile"];
    const elsewhere = { settings: { url: `${other.url}/` } };
    expect(await changeMeanwhile(other, [elsewhere, bob], [theirs, alice])).toEqual([
      ...ended,
      theirs.settings,
    ]);
    const again = { credentials: theirs.credentials };
    expect(await changeMeanwhile(dav, [again, alice], [others, bob])).toEqual([...ended, others.settings]);
    expect((await change(alice, { settings: { url: `${other.url}/` } })).status).toBe(200);
    await other.stop();
  });

  test("after the reset of the password of whoever changed it last, it is paused and the owners are told", async () => {
    const alice = await api.signUp();
    const bob = await joinAs(api, alice, "owner");
    const [{ id }, { id: other }] = [await create(alice), await create(alice, { name: "Other" })];
    await bob.patch(`/api/destinations/${id}`, { settings: { url: `${dav.url}/` } });
    await api.anonymous().post("/api/password/forgot", { email: bob.email });
    await api.finishBackgroundWork();
    const token = (await mailedTokens(api, "reset", bob.email)).at(-1);
    expect(
      (await api.anonymous().post("/api/password/reset", { token, newPassword: "another one" })).status,
    ).toBe(204);
    await api.finishBackgroundWork();
    const told = (await api.mails()).filter(({ subject }) => subject === "“Nextcloud” is paused");
    expect(told.map(({ to }) => to).sort()).toEqual([alice.email, bob.email].sort());
    await submit(alice);
    await deliver();
    expect([(await listed(alice, id)).state, (await listed(alice, id)).waiting]).toEqual(["paused", 2]);
    expect((await listed(alice, other)).waiting).toBe(0);
    await alice.patch(`/api/destinations/${id}`, { state: "active" });
    await deliver();
    expect((await listed(alice, id)).waiting).toBe(0);
  });

  test("after the reset of whoever connected it, it is paused, though a colleague has changed its place or access since", async () => {
    const alice = await api.signUp();
    const bob = await joinAs(api, alice, "owner");
    const { workspaceId } = alice;
    const make = async () => (await create(bob, { workspaceId })).id;
    const [moved, opened, both, seen] = [await make(), await make(), await make(), await make()];
    const [settings, { credentials }] = [{ url: `${dav.url}/` }, input(alice)];
    const changes = [
      [moved, { settings }],
      [opened, { credentials }],
      [both, { settings, credentials }],
      [seen, { name: "Elsewhere" }],
    ] as const;
    for (const [id, change] of changes) {
      const { status, body } = await alice.patch(`/api/destinations/${id}`, change);
      expect([status, Object.keys(body.settings)]).toEqual([200, ["url"]]);
    }
    await api.anonymous().post("/api/password/forgot", { email: bob.email });
    const token = (await mailedTokens(api, "reset", bob.email)).at(-1);
    const reset = await api.anonymous().post("/api/password/reset", { token, newPassword: "another one" });
    expect(reset.status).toBe(204);
    const states = await Promise.all([moved, opened, both, seen].map((id) => listed(alice, id)));
    expect(states.map(({ state }) => state)).toEqual(["paused", "paused", "active", "paused"]);
  });

  test("an owner who returns by “This wasn't me” pauses what whoever removed them has connected and planned there", async () => {
    const alice = await api.signUp();
    const { workspaceId } = alice;
    const bob = await joinAs(api, alice, "owner");
    const elsewhere = await create(bob, { workspaceId: bob.workspaceId });
    const day = "2026-05-04";
    const seriesIn = (where: number, more: object = {}) => ({
      ...{ name: "Monthly", every: 1, unit: "month", startOn: day, workspaceId: where },
      envelope: { documents: [{ name: "Passport" }], subject: "Papers", ...more },
      recipients: [{ recipientName: "Rita", recipientEmail: "rita@example.com" }],
    });
    const planned = { assigneeId: alice.id };
    const series = (await bob.post("/api/series", seriesIn(workspaceId, planned))).body;
    const bobs = (await bob.post("/api/series", seriesIn(bob.workspaceId))).body;
    const later = await sendEnvelope(bob, { workspaceId, ...planned, sendOn: day });
    const bobsLater = await sendEnvelope(bob, { workspaceId: bob.workspaceId, sendOn: day });
    const [{ id }, { id: own }] = [
      await create(bob, { workspaceId, name: "Copy" }),
      await create(alice, { name: "Office" }),
    ];
    const renewing = async (where: number) => {
      const sent = await sendEnvelope(bob, { workspaceId: where, documents: [{ name: "Passport" }] });
      await api.anonymous().post(linkOf(sent), form({ Passport: pdfFile("passport.pdf") }));
      const change = { validUntil: "2026-06-01", renewDays: 20 };
      const path = `/api/requests/${sent.id}/documents/${sent.documents[0].id}`;
      expect((await bob.patch(path, change)).status).toBe(200);
      return `/api/requests/${sent.id}`;
    };
    const [renewed, bobsRenewed] = [await renewing(workspaceId), await renewing(bob.workspaceId)];
    expect((await bob.delete(`/api/workspaces/${workspaceId}/members/${alice.id}`)).status).toBe(204);
    const [token] = await mailedTokens(api, "restore-owner", alice.email);
    expect((await api.anonymous().post("/api/workspaces/restore-owner", { token })).status).toBe(204);
    await api.finishBackgroundWork();
    const told = (await api.mails()).filter(({ subject }) => subject === "“Copy” is paused");
    expect(told.map(({ to }) => to)).toEqual([alice.email]);
    const states = await Promise.all([listed(alice, id), listed(alice, own), listed(bob, elsewhere.id)]);
    expect(states.map(({ state }) => state)).toEqual(["paused", "active", "active"]);
    expect((await alice.get(`/api/requests/${later.id}`)).body.status).toBe("draft");
    expect((await bob.get(`/api/requests/${bobsLater.id}`)).body.status).toBe("scheduled");
    expect((await alice.get(`/api/series/${series.id}`)).body.paused).toBe(true);
    expect((await bob.get(`/api/series/${bobs.id}`)).body.paused).toBe(false);
    expect((await alice.get(renewed)).body.documents).toMatchObject([{ renewalPaused: true }]);
    expect((await bob.get(bobsRenewed)).body.documents).toMatchObject([{ renewalPaused: false }]);
  });

  test("a reset also ends what was planned and connected in a workspace that the account has left within a week", async () => {
    const alice = await api.signUp();
    const { workspaceId } = alice;
    const inWorkspace = async (day: string) => {
      const bob = await joinAs(api, alice, "owner");
      const plan = { workspaceId, assigneeId: alice.id };
      const [{ id }, later] = [
        await create(bob, { workspaceId }),
        await sendEnvelope(bob, { ...plan, sendOn: day }),
      ];
      const series = await bob.post("/api/series", {
        ...{ name: "Monthly", every: 1, unit: "month", startOn: day, workspaceId },
        envelope: { assigneeId: alice.id, documents: [{ name: "Passport" }], subject: "Papers" },
        recipients: [{ recipientName: "Rita", recipientEmail: "rita@example.com" }],
      });
      const left = `/api/workspaces/${workspaceId}/members/${bob.id}?assignTo=${alice.id}`;
      expect((await bob.delete(left)).status).toBe(204);
      return { bob, id, later, series: series.body };
    };
    type Planned = Awaited<ReturnType<typeof inWorkspace>>;
    const afterReset = async ({ bob, id, later, series }: Planned) => {
      await api.anonymous().post("/api/password/forgot", { email: bob.email });
      const token = (await mailedTokens(api, "reset", bob.email)).at(-1);
      const reset = { token, newPassword: "another one" };
      expect((await api.anonymous().post("/api/password/reset", reset)).status).toBe(204);
      const { status } = (await alice.get(`/api/requests/${later.id}`)).body;
      return [
        (await listed(alice, id)).state,
        status,
        (await alice.get(`/api/series/${series.id}`)).body.paused,
      ];
    };
    const planned = await inWorkspace("2026-05-04");
    const others = await inWorkspace("2026-05-04");
    await api.setClock("2026-03-20T09:00:00.000Z");
    expect(await afterReset(planned)).toEqual(["paused", "draft", true]);
    await api.setClock("2026-03-30T09:00:00.000Z");
    expect(await afterReset(others)).toEqual(["active", "scheduled", false]);
  });

  test("a session that ends while the place is tried connects and changes nothing", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice);
    dav.respond = async ({ method }) => {
      if (method === "PUT") await api.execute(`delete from sessions where user_id = ${alice.id}`);
      return undefined;
    };
    const { body } = await alice.post("/api/destinations", input(alice));
    expect(body.code).toBe("unauthenticated");
    await alice.post("/api/login", alice);
    const change = { settings: { url: `${dav.url}/` } };
    expect((await alice.patch(`/api/destinations/${id}`, change)).body.code).toBe("unauthenticated");
    await alice.post("/api/login", alice);
    expect((await alice.get("/api/destinations")).body).toMatchObject([{ id, settings: { url: dav.url } }]);
  });

  test("a file that waits for the scanner waits, and one that was deleted is not delivered", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, { includeAnswers: false, state: "paused" });
    await alice.patch(`/api/destinations/${id}`, { state: "paused" });
    await alice.post("/api/webhooks", { url: dav.url, events: ["destination.failed"] });
    const one = await submit(alice, pdfFile(), { subject: "One" });
    const two = await submit(alice, pdfFile(), { subject: "Two" });
    await api.execute(`update submissions set scan_due_at = '2030-01-01' where envelope_id = ${one.id}`);
    await api.execute(`update submissions set deleted_at = '${START}' where envelope_id = ${two.id}`);
    await alice.patch(`/api/destinations/${id}`, { state: "active" });
    await deliver();
    expect(dav.names()).toEqual([]);
    expect(await log(alice, id)).toMatchObject([
      { requestId: two.id, state: "failed", failure: "deleted" },
      { requestId: one.id, state: "waiting", attempts: 0 },
    ]);
    // That is no failure of the destination.
    expect(await api.select(`select id from webhook_deliveries where envelope_id = ${two.id}`)).toEqual([]);
    expect((await alice.get("/api/workspaces")).body).toMatchObject([{ hasFailedDeliveries: false }]);
    await api.execute(`update submissions set scan_due_at = null where envelope_id = ${one.id}`);
    await deliver();
    expect(dav.names()).toHaveLength(1);
  });
});

/** A database in which two files of one name wait for a destination, or each for one at these addresses. */
async function startWithTwoFiles(...urls: string[]) {
  const outbox = await startOutbox();
  for (const url of urls.length > 0 ? urls : [""]) {
    await outbox.run(
      `insert into workspaces (user_id, name, created_at, updated_at) values (1, 'Main', '${START}', '${START}')`,
    );
    await outbox.run(`insert into destinations (workspace_id, kind, name, settings, delivered_when, folder_rule, include_answers, created_at, updated_at)
      select max(id), '${url ? "webdav" : "google"}', 'Drive', '${JSON.stringify(url ? { url } : {})}', 'submitted', '{recipient}', 1, '${START}', '${START}' from workspaces`);
  }
  for (const envelope of [1, 2]) {
    await outbox.run(`insert into envelopes (user_id, workspace_id, title, description, customer_email, submission_token, created_at, updated_at)
      values (1, min(${envelope}, ${urls.length || 1}), 'T', '', 'rita@example.com', 't${envelope}', '${START}', '${START}')`);
    await outbox.run(`insert into file_deliveries (destination_id, envelope_id, page, submitted_at, state_at, next_attempt_at, created_at)
      values (min(${envelope}, ${urls.length || 1}), ${envelope}, 'manifest.csv', '${START}', '${START}', '${START}', '${START}')`);
  }
  return outbox;
}

/** A process whose destination takes files so. */
const processOf = (outbox: Outbox, put: Destination["put"]) => {
  const load = async (): Promise<Destination> => ({ put, check: async () => ({ kind: "works", path: "" }) });
  return outbox.process({ destinations: { google: load, webdav: load } });
};

test.each([
  ["to one destination", []],
  [
    "to two workspaces' destinations at one address",
    ["https://dav.example.com/Clients", "https://dav.example.com/clients/"],
  ],
  [
    "to two workspaces' destinations whose addresses differ only by a query or fragment",
    ["https://dav.example.com/clients/?a#b", "https://dav.example.com/clients#?"],
  ],
])(
  "two servers that deliver files of one name at the same moment, %s, never write both under it",
  async (_, urls) => {
    const outbox = await startWithTwoFiles(...urls);
    // As Drive, it takes every file, and tells of a taken name only what was written before.
    const written: string[] = [];
    const both = Promise.withResolvers<void>();
    let putting = 0;
    const put: Destination["put"] = async (_, { folder, name }) => {
      const path = [...folder, name].join("/");
      if (written.includes(path)) return { kind: "taken" };
      putting += 1;
      if (putting === 2) both.resolve();
      await both.promise;
      written.push(path);
      return { kind: "written", url: null };
    };
    const servers = await Promise.all([1, 2].map(() => processOf(outbox, put)));
    await Promise.all(servers.map(deliverFiles));
    expect(written.sort()).toEqual(["rita@example.com/manifest (2).csv", "rita@example.com/manifest.csv"]);
    const rows = await outbox.run("select state, path from file_deliveries order by path");
    expect(rows).toEqual(written.map((path) => ({ state: "delivered", path })));
    await outbox.stop();
  },
);

describeApi("destinations, with limits", { ...PRIVATE, rateLimits: "on" }, (api) => {
  test("one that fails and works again without an end tells its owners once an hour", async () => {
    await api.setClock(START);
    const dav = startWebdavServer();
    const alice = await api.signUp();
    await api.execute(`update users set is_verified = 1, verified_by_owner = 1 where id = ${alice.id}`);
    const { body } = await alice.post("/api/destinations", {
      ...{ workspaceId: alice.workspaceId, kind: "webdav", name: "Nextcloud", settings: { url: dav.url } },
      ...{ credentials: { user: "office", password: "s:ecret ü" }, includeAnswers: false },
    });
    const envelope = await sendEnvelope(alice);
    dav.respond = () => new Response(null, { status: 401 });
    expect((await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }))).status).toBe(201);
    const texts = async () =>
      (await api.mails()).flatMap(({ subject, text }) => (/Nextcloud/.test(subject) ? [text] : []));
    await api.runJobs(after(10));
    for (let count = 2; count < 6; count += 1) {
      // What is told twice in the same millisecond is told once: the change itself also delivers, in the background.
      await api.setClock(after(count * 10));
      await alice.patch(`/api/destinations/${body.id}`, { state: "active" });
      await api.runJobs(after(count * 10 + 5));
      expect((await alice.get("/api/destinations")).body).toMatchObject([{ state: "reconnect" }]);
    }
    expect(await texts()).toHaveLength(1);
    await api.runJobs(after(HOUR + 60), after(HOUR + 120));
    const [, second, ...more] = await texts();
    expect(second).toMatch(/\d more events of this kind have followed since then/);
    expect(more).toEqual([]);
    await dav.stop();
  });

  test("files are delivered again, and those that are not delivered counted, as often as webhooks are tried", async () => {
    await api.setClock(START);
    const alice = await api.signUp();
    const again = async () => (await alice.post("/api/destinations/1000000/deliveries/1/redeliver")).status;
    const counted = async () => (await alice.get("/api/destinations/1000000/backfill")).status;
    expect(await again()).toBe(404);
    await api.execute(`update rate_limits set count = 298 where key = 'webhook-try:${alice.id}'`);
    expect([await again(), await counted()]).toEqual([404, 404]);
    expect([await again(), await counted()]).toEqual([429, 429]);
  });
});

test("after a file that a destination left without an answer, its others wait for five minutes", async () => {
  const outbox = await startWithTwoFiles();
  const put: Destination["put"] = async () => {
    setSystemTime(Date.now() + 30_000);
    return { kind: "again", message: "No answer in time" };
  };
  await deliverFiles(await processOf(outbox, put));
  setSystemTime();
  const rows = await outbox.run("select attempts, next_attempt_at from file_deliveries order by id");
  expect(rows).toEqual([
    { attempts: 1, next_attempt_at: after(5) },
    { attempts: 0, next_attempt_at: after(300) },
  ]);
  await outbox.stop();
});

test("many destinations of many accounts that hang leave connections to everything else, and slots to others' files", async () => {
  const outbox = await startWithTwoFiles(
    ...Array.from({ length: 60 }, (_, index) => `https://${index}.example`),
  );
  await outbox.run(`insert into envelopes (user_id, workspace_id, title, description, customer_email, submission_token, created_at, updated_at)
    select 1, workspace_id, 'T', '', 'rita@example.com', 'more' || id, '${START}', '${START}' from destinations where id > 2`);
  await outbox.run(`insert into file_deliveries (destination_id, envelope_id, page, submitted_at, state_at, next_attempt_at, created_at)
    select destinations.id, envelopes.id, 'manifest.csv', '${START}', '${START}', '${START}', '${START}' from destinations join envelopes using (workspace_id) where destinations.id > 2`);
  let [begun, running] = [0, 0];
  const put: Destination["put"] = ({ signal }) => {
    begun += 1;
    running += 1;
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Destination["put"]>>>();
    signal.addEventListener("abort", () => {
      running -= 1;
      resolve({ kind: "again", message: "No answer in time" });
    });
    return promise;
  };
  const server = await processOf(outbox, put);
  const stopping = new AbortController();
  const runs: Promise<void>[] = [];
  for (let minute = 1; minute <= 10; minute += 1) {
    runs.push(deliverFiles({ ...server, stopping: stopping.signal }));
    await waitFor("six more", () => begun === minute * 6);
    setSystemTime(Date.now() + 61_000);
  }
  expect(running).toBe(48);
  // Those that have ended for others have lost no attempt.
  await waitFor("what has ended", async () => {
    const [ended] = await outbox.run(
      "select count(*) as count, max(attempts) as attempts from file_deliveries where failure is not null",
    );
    return (ended?.count === 12 && ended.attempts === 0) || undefined;
  });
  stopping.abort();
  await Promise.all(runs);
  setSystemTime();
  await outbox.stop();
});

test("a server that stops leaves the file that it was sending to the next one, and begins no other", async () => {
  const outbox = await startWithTwoFiles();
  const stopping = new AbortController();
  let begun = 0;
  const put: Destination["put"] = async () => {
    begun += 1;
    stopping.abort();
    return { kind: "again", message: "Broken off" };
  };
  const server = await processOf(outbox, put);
  await deliverFiles({ ...server, stopping: stopping.signal });
  expect(begun).toBeLessThanOrEqual(2);
  const rows = await outbox.run("select attempts, next_attempt_at from file_deliveries");
  expect(rows).toEqual(Array(2).fill({ attempts: 0, next_attempt_at: START }));
  await outbox.stop();
});

test("of two destinations of one place, of which one was changed, only one at a time has a path", async () => {
  const outbox = await startWithTwoFiles("https://one.example", "https://two.example");
  await outbox.run(`update destinations set kind = 's3', settings = '{"bucket":"b","prefix":"p"}'`);
  await outbox.run("update destinations set settings = json_set(settings, '$.placedBy', '1') where id = 2");
  await outbox.run("update file_deliveries set claimed_by = 'me'");
  const { db } = await outbox.process();
  const take = (id: number) => takePath(db, { id, claimedBy: "me", destinationId: id }, "Rita/manifest.csv");
  expect([await take(1), await take(2)]).toEqual([true, false]);
  await outbox.stop();
});

test("files wait while messages are held, as after a restore", async () => {
  const outbox = await startWithTwoFiles();
  let begun = 0;
  const server = await processOf(outbox, async () => {
    begun += 1;
    return { kind: "again", message: "Broken off" };
  });
  await deliverFiles({ ...server, holdsMessages: true });
  expect(begun).toBe(0);
  await deliverFiles(server);
  expect(begun).toBeGreaterThan(0);
  await outbox.stop();
});

test("a file under way to a destination that is removed goes no further", async () => {
  const outbox = await startWithTwoFiles();
  await outbox.run("update file_deliveries set claimed_by = 'me'");
  const { db } = await outbox.process();
  const save = () => updateClaimed(db, { id: 1, claimedBy: "me" }, { session: "sealed" });
  expect(await save()).toBe(true);
  await outbox.run(`update workspaces set deleted_at = '${START}'`);
  expect(await save()).toBe(false);
  await outbox.stop();
});

test("the log reads nothing of what continues a delivery", async () => {
  const outbox = await startWithTwoFiles();
  await outbox.run("update file_deliveries set session = 'sealed'");
  const { db } = await outbox.process();
  const entry = await findFileDelivery(db, { envelopeId: 1, id: 1 });
  expect(entry).toMatchObject({ id: 1, fileName: "manifest.csv" });
  expect(entry).not.toHaveProperty("session");
  await outbox.stop();
});

test("a folder's destination is stored with the file that was left there, an earlier one with its next test", async () => {
  const root = makeFolder();
  const runtime = await startBunRuntime({ variables: { DELIVERY_DIR: root } });
  const client = createClient(runtime);
  await client.post("/api/register", { email: "ada@example.com", password: "a long password" });
  await runtime.execute("update users set verified_by_owner = 1");
  const [{ id: workspaceId }] = (await client.get("/api/workspaces")).body;
  const folder = { workspaceId, kind: "folder", name: "NAS", credentials: {} };
  const { body: made } = await client.post("/api/destinations", { ...folder, settings: { path: "nas" } });
  const settings = async () => (await client.get("/api/destinations")).body[0].settings;
  expect(await settings()).toEqual({ path: "nas", marker: ".doculopes" });
  await runtime.execute(`update destinations set settings = '{"path":"nas"}'`);
  expect((await client.post(`/api/destinations/${made.id}/test`)).body).toMatchObject({ ok: true });
  expect(await settings()).toEqual({ path: "nas", marker: ".doculopes" });
  expect(await readdir(join(root, "nas"))).toEqual([".doculopes"]);
  await rm(join(root, "nas/.doculopes"));
  const unmounted = await client.patch(`/api/destinations/${made.id}`, { settings: { path: "nas" } });
  expect(unmounted.body).toMatchObject({ code: "destination_refused", params: { reason: "ENOENT" } });
  expect(await readdir(join(root, "nas"))).toEqual([]);
  await client.patch(`/api/destinations/${made.id}`, { settings: { path: "other" } });
  expect(await settings()).toEqual({ path: "other", marker: ".doculopes" });
  await rm(join(root, "other/.doculopes"));
  const tested = await client.post(`/api/destinations/${made.id}/test`);
  expect(tested.body).toMatchObject({ ok: false });
  expect(await readdir(join(root, "other"))).toEqual([]);
  await runtime.stop();
});
