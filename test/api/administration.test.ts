import { expect, test } from "bun:test";
import { type Api, type ApiResponse, describeApi, programOf, type SignedUp } from "../support/api/client";
import { addDrafts, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { inviteTo, joinAs } from "../support/api/team";
import { createTus, locationOf } from "../support/api/tus";
import { setUpTotp } from "../support/api/two-factor";
import { addWebhook } from "../support/api/webhooks";
import { largePdfFile, pdfFile, pngFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";
import { startGateway } from "../support/servers/http-gateway";

const ROOT = "/api/administration";
const MIB = 1024 * 1024;
const accountOf = ({ id }: { id: number }) => `${ROOT}/accounts/${id}`;

let administrators = 0;

/** An account that ADMIN_EMAILS lists. */
async function administrator(api: Api): Promise<SignedUp> {
  administrators += 1;
  const email = `administrator${administrators}@example.org`;
  const client = api.anonymous();
  const { body } = await client.post("/api/register", { email, password: "a long password" });
  const [token] = await mailedTokens(api, "verify", email);
  expect((await client.post("/api/user/verify", { token })).status).toBe(204);
  return Object.assign(client, { id: body.id, email, password: "a long password", workspaceId: 0 });
}

const signIn = async (api: Api, { email, password }: { email: string; password: string }) => {
  const client = api.anonymous();
  return { client, answer: await client.post("/api/login", { email, password }) };
};

const LISTED = Array.from({ length: 60 }, (_, index) => `administrator${index + 1}@example.org`).join();

describeApi(
  "administration",
  {
    variables: { ADMIN_EMAILS: LISTED, WEBHOOK_ALLOW_PRIVATE: "on" },
    quotas: { accountBytes: 3 * MIB, envelopeBytes: 100 * MIB },
  },
  (api) => {
    test("the only enabled owner of a workspace with other members cannot be disabled, nor deleted", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const partner = await joinAs(api, owner, "owner");
      const member = await joinAs(api, owner, "member");
      const { workspaceId } = owner;
      const disable = ({ id }: SignedUp) => admin.post(`${ROOT}/accounts/${id}/disable`);
      expect((await disable(partner)).status).toBe(200);
      for (const rejected of [await disable(owner), await admin.delete(`${ROOT}/accounts/${owner.id}`)]) {
        expect([rejected.status, rejected.body.code]).toEqual([409, "last_owner"]);
        expect(rejected.body.workspaces).toEqual([{ id: workspaceId, name: "My Workspace" }]);
      }
      expect((await owner.get("/api/workspaces")).status).toBe(200);
      const role = { role: "owner" };
      expect((await owner.patch(`/api/workspaces/${workspaceId}/members/${member.id}`, role)).status).toBe(
        200,
      );
      expect((await disable(owner)).status).toBe(200);
      expect((await admin.get(`${ROOT}/accounts/${member.id}`)).body).toMatchObject({
        workspaces: 2,
        ownedWorkspaces: 2,
      });
    });

    test("counts workspaces, memberships and open invitations", async () => {
      const admin = await administrator(api);
      const read = async () => (await admin.get(ROOT)).body.workspaces;
      const before = await read();
      const owner = await api.signUp();
      await joinAs(api, owner, "viewer");
      await inviteTo(api, owner, "somebody@example.org", "member");
      expect(await read()).toEqual({
        total: before.total + 2,
        shared: before.shared + 1,
        memberships: before.memberships + 3,
        invitations: before.invitations + 1,
      });
    });

    test("lists accounts with their usage, without their contents", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      await owner.patch("/api/user/profile", { firstName: "Ottilie" });
      const envelope = await sendEnvelope(owner, { subject: "Divorce", recipientName: "Quentin" });
      await sendEnvelope(owner);
      const texts = (await admin.get(accountOf(owner))).body.storageBytes;
      await api.anonymous().post(linkOf(envelope), form({ Contract: largePdfFile(MIB) }));
      const { status, body, text } = await admin.get(`${ROOT}/accounts?search=OTTILIE`);
      expect(status).toBe(200);
      expect(body).toEqual([
        {
          id: owner.id,
          email: owner.email,
          firstName: "Ottilie",
          lastName: null,
          isVerified: false,
          isAdministrator: false,
          createdAt: "2026-03-14T09:26:53.000Z",
          lastSeenAt: "2026-03-14T09:26:53.000Z",
          disabledAt: null,
          storageQuota: null,
          storageLimit: 3 * MIB,
          envelopes: 2,
          workspaces: 1,
          ownedWorkspaces: 1,
          storageBytes: MIB + texts,
          reservedBytes: 0,
        },
      ]);
      const instance = await admin.get(ROOT);
      const audit = await admin.get(`${ROOT}/audit`);
      for (const seen of [text, instance.text, audit.text])
        expect(seen).not.toMatch(/Divorce|Quentin|Contract|\.pdf|rita@/);
    });

    test("lists accounts in pages, the latest first", async () => {
      const admin = await administrator(api);
      const made = [await api.signUp(), await api.signUp(), await api.signUp()];
      const first = await admin.get(`${ROOT}/accounts?limit=2&search=PERSON`);
      expect(first.body.map(({ id }: { id: number }) => id)).toEqual([made[2]?.id, made[1]?.id]);
      const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
      const second = await admin.get(next);
      expect(second.body[0].id).toBe(made[0]?.id);
      expect((await admin.get(`${ROOT}/accounts?search=nobody-at-all`)).body).toEqual([]);
    });

    test("counts administrators, not listed addresses without proof, and says that nobody chose who signs up", async () => {
      const admin = await administrator(api);
      const before = (await admin.get(ROOT)).body;
      expect(before).toMatchObject({ signUp: "open", signUpChosen: false });
      await administrator(api);
      administrators += 1;
      const email = `administrator${administrators}@example.org`;
      await api.anonymous().post("/api/register", { email, password: "a long password" });
      expect((await admin.get(ROOT)).body.administrators).toBe(before.administrators + 1);
    });

    test("counts accounts, envelopes, storage and queued messages", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const before = (await admin.get(ROOT)).body;
      await sendEnvelope(owner);
      await sendEnvelope(owner, { sendOn: "2026-12-01" });
      await api.finishBackgroundWork();
      const { body } = await admin.get(ROOT);
      expect(body).toMatchObject({
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        schema: expect.stringMatching(/^\d{4}_/),
        signUp: "open",
        scanner: { configured: false, quarantined: 0 },
        webhooks: { total: 0, enabled: 0, failing: 0, waiting: 0 },
        destinations: { total: 0, stopped: 0, waiting: 0, failed: 0 },
        outbox: { waiting: 0, failed: 0, oldestWaiting: null, sendsMail: true },
      });
      expect(body.envelopes.pending).toBe(before.envelopes.pending + 1);
      const { total, ...byStatus } = body.envelopes as Record<string, number>;
      expect(Object.values(byStatus).reduce((sum, count) => sum + count, 0)).toBe(total ?? 0);
      expect(body.storage.largest[0].bytes).toBeGreaterThan(MIB);
      await api.runJobs();
      const { jobs } = (await admin.get(ROOT)).body;
      expect(jobs).toContainEqual({ job: "removeStaleRows", lastRun: "2026-03-14T09:00:00.000Z" });
    });

    test("a disabled account is rejected everywhere, with a message for its owner", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const { token } = (await owner.post("/api/tokens", { name: "Program", scope: "write" })).body;
      const envelope = await sendEnvelope(owner);
      const answered = await sendEnvelope(owner);
      await api.anonymous().post(linkOf(answered), form({ Contract: pdfFile() }));
      const [file] = (await owner.get(`/api/requests/${answered.id}`)).body.submissions;
      await owner.post("/api/password/forgot", { email: owner.email });
      const [resetToken] = await mailedTokens(api, "reset", owner.email);

      const { status, body } = await admin.post(`${accountOf(owner)}/disable`);
      expect([status, body.disabledAt]).toEqual([200, "2026-03-14T09:26:53.000Z"]);
      expect((await owner.get("/api/user")).status).toBe(401);
      expect((await owner.get(file.url)).status).toBe(404);
      expect((await programOf(api, token).get("/api/requests")).status).toBe(401);
      const rejected = (await signIn(api, owner)).answer;
      expect([rejected.status, rejected.body.code]).toEqual([403, "account_disabled"]);
      expect(rejected.body.message).toContain("disabled");
      const wrong = (await signIn(api, { ...owner, password: "a wrong password" })).answer;
      expect(wrong.body.code).toBe("invalid_credentials");
      const reset = { token: resetToken, newPassword: "another password" };
      expect((await api.anonymous().post("/api/password/reset", reset)).status).toBe(400);
      expect((await api.anonymous().get(linkOf(envelope))).status).toBe(404);
      const submitted = await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
      expect(submitted.status).toBe(404);
    });

    test("a disabled account sends nothing and gets no password reset link", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      await sendEnvelope(owner, { reminderFrequency: "daily", recipientEmail: "quiet@example.com" });
      await api.finishBackgroundWork();
      await admin.post(`${accountOf(owner)}/disable`);
      await api.anonymous().post("/api/password/forgot", { email: owner.email });
      const before = (await api.mails()).length;
      await api.runJobs("2026-03-16T09:26:53.000Z");
      const sent = (await api.mails()).slice(before).map(({ to }) => to);
      expect(sent).not.toContain("quiet@example.com");
      expect(sent).not.toContain(owner.email);
      const later = (await signIn(api, admin)).client;
      const rejected = await later.post(`${accountOf(owner)}/reset-password`);
      expect([rejected.status, rejected.body.code]).toEqual([409, "disabled_account"]);
      await api.setClock("2026-03-14T09:26:53.000Z");
    });

    test("counts destinations of all workspaces, and those that wait for somebody", async () => {
      const admin = await administrator(api);
      const workspaceId = (await admin.get("/api/workspaces")).body[0].id;
      for (const state of ["active", "full", "reconnect"])
        await api.execute(
          `insert into destinations (workspace_id, kind, name, delivered_when, folder_rule, include_answers, state, created_at, updated_at)
           values (${workspaceId}, 'webdav', 'NAS', 'submitted', '', 1, '${state}', '', '')`,
        );
      expect((await admin.get(ROOT)).body.destinations).toMatchObject({ total: 3, stopped: 2, waiting: 0 });
      const { id } = await sendEnvelope(admin);
      await api.execute(
        `insert into file_deliveries (destination_id, envelope_id, page, submitted_at, state_at, failure, created_at)
         select id, ${id}, 'manifest.csv', '', '', 'unreachable', '' from destinations where state = 'active'`,
      );
      expect((await admin.get(ROOT)).body.destinations).toMatchObject({ total: 3, stopped: 3, waiting: 1 });
      await api.execute("delete from destinations");
    });

    test("the webhooks of a disabled account wait until the account is enabled", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const receiver = startGateway();
      receiver.respond = () => new Response("thanks");
      await owner.post("/api/webhooks", { url: `${receiver.url}/in`, events: ["request.sent"] });
      await api.execute("update webhooks set paused_until = '2026-03-14T09:26:54.000Z'");
      await sendEnvelope(owner);
      await admin.post(`${accountOf(owner)}/disable`);
      await api.execute("update webhooks set paused_until = null");
      await api.runJobs();
      expect(receiver.requests).toHaveLength(0);
      expect((await admin.get(ROOT)).body.webhooks).toMatchObject({ enabled: 1, waiting: 1 });
      await admin.post(`${accountOf(owner)}/enable`);
      await api.runJobs();
      expect(receiver.requests).toHaveLength(1);
      await receiver.stop();
    });

    test("an account whose many rows are being deleted is disabled, and no action finds it", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      await addDrafts(owner, 50);
      expect((await admin.delete(accountOf(owner))).status).toBe(204);
      expect((await admin.get(accountOf(owner))).body.disabledAt).not.toBeNull();
      expect((await admin.post(`${accountOf(owner)}/enable`)).status).toBe(404);
      expect((await admin.delete(accountOf(owner))).status).toBe(404);
      await api.runJobs();
      expect((await admin.get(accountOf(owner))).status).toBe(404);
    });

    test("an account that is enabled again has everything except its sessions and tokens", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const { token } = (await owner.post("/api/tokens", { name: "Program", scope: "write" })).body;
      const { id: ownWebhook } = await addWebhook(owner);
      await addWebhook(programOf(api, token));
      const envelope = await sendEnvelope(owner);
      await admin.post(`${accountOf(owner)}/disable`);
      const { body } = await admin.post(`${accountOf(owner)}/enable`);
      expect(body.disabledAt).toBeNull();
      expect((await owner.get("/api/user")).status).toBe(401);
      expect((await programOf(api, token).get("/api/requests")).status).toBe(401);
      const { client, answer } = await signIn(api, owner);
      expect(answer.status).toBe(200);
      expect((await client.get("/api/requests")).body).toHaveLength(1);
      expect((await api.anonymous().get(linkOf(envelope))).status).toBe(200);
      const webhooks = (await client.get("/api/webhooks")).body;
      const on = webhooks.filter(({ enabled }: { enabled: boolean }) => enabled);
      expect(on.map(({ id }: { id: number }) => id)).toEqual([ownWebhook]);
    });

    test("counts a logo like other files: for its account, the instance and the largest accounts", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const bytesOf = async () => {
        const { storage } = (await admin.get(ROOT)).body;
        const account = (await admin.get(accountOf(owner))).body;
        const largest = storage.largest.find(({ id }: { id: number }) => id === owner.id);
        return { whole: storage.bytes, account: account.storageBytes, largest: largest?.bytes ?? 0 };
      };
      const envelope = await sendEnvelope(owner);
      const before = await bytesOf();
      await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
      const logo = new File([await pngFile().bytes(), new Uint8Array(1_000_000)], "logo.png");
      await owner.post(`/api/workspaces/${owner.workspaceId}/logo`, form({ logo }));
      const added = logo.size + pdfFile().size;
      const account = before.account + added;
      expect(await bytesOf()).toEqual({ whole: before.whole + added, account, largest: account });
      await owner.delete(`/api/workspaces/${owner.workspaceId}/logo`);
      expect((await bytesOf()).whole).toBe(before.whole + added - logo.size);
    });

    test("deletes an account with its rows and files, and notifies its address", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      await owner.post("/api/user/avatar", form({ avatar: pngFile() }));
      const envelope = await sendEnvelope(owner);
      await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
      const before = (await api.storedFiles()).length;
      expect((await admin.delete(accountOf(owner))).status).toBe(204);
      expect(await api.select(`select id from envelopes where user_id = ${owner.id}`)).toEqual([]);
      expect((await api.storedFiles()).length).toBe(before - 2);
      await api.finishBackgroundWork();
      const mail = (await api.mails()).findLast(({ to }) => to === owner.email);
      expect(mail?.subject).toBe("Your account was deleted");
      expect((await admin.get(accountOf(owner))).status).toBe(404);
      expect((await admin.delete(accountOf(owner))).status).toBe(404);
      const { body } = await admin.get(`${ROOT}/audit?limit=1`);
      expect(body[0]).toMatchObject({
        action: "account_deleted",
        actor: admin.email,
        subject: owner.email,
        detail: { envelopes: 1 },
      });
    });

    test("counts envelopes and bytes for whom they belong to, and limits workspaces", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const colleague = await joinAs(api, owner, "member");
      const { workspaceId } = owner;
      const envelope = await sendEnvelope(colleague, { workspaceId });
      await api.anonymous().post(linkOf(envelope), form({ Contract: largePdfFile(MIB) }));
      await sendEnvelope(owner, { workspaceId });
      const readUse = async (person: SignedUp) => (await admin.get(accountOf(person))).body;
      const [theirs, mine] = [await readUse(colleague), await readUse(owner)];
      expect([theirs.envelopes, mine.envelopes]).toEqual([1, 1]);
      expect(theirs.storageBytes).toBeGreaterThan(MIB);
      expect(mine.storageBytes).toBeWithin(1, 1000);
      const found = async () =>
        (await admin.get(`${ROOT}/workspaces`)).body.find(({ id }: { id: number }) => id === workspaceId);
      expect(await found()).toEqual({
        ...{ id: workspaceId, name: "My Workspace", owner: owner.email, members: 2, envelopes: 2 },
        ...{ storageBytes: theirs.storageBytes + mine.storageBytes, storageQuota: null },
      });
      const path = `${ROOT}/workspaces/${workspaceId}/quota`;
      const bytes = theirs.storageBytes;
      expect((await admin.put(path, { bytes })).body).toMatchObject({ id: workspaceId, storageQuota: bytes });
      expect((await owner.post("/api/contacts", { firstName: "Ada", workspaceId })).status).toBe(507);
      expect((await owner.get("/api/workspaces")).body[0]).not.toHaveProperty("storageQuota");
      const [entry] = (await admin.get(`${ROOT}/audit?limit=1`)).body;
      expect(entry).toMatchObject({
        ...{ action: "workspace_quota_changed", subject: owner.email },
        detail: { workspaceId, workspace: "My Workspace", bytes },
      });
      expect((await admin.put(path, { bytes: null })).status).toBe(200);
      expect((await owner.post("/api/contacts", { firstName: "Ada", workspaceId })).status).toBe(201);
      for (const wrong of [-1, 0.5, "1"]) expect((await admin.put(path, { bytes: wrong })).status).toBe(400);
      expect((await admin.put(`${ROOT}/workspaces/999999/quota`, { bytes: 1 })).status).toBe(404);
    });

    test("says and records what a deletion removes, and what stays with whom", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const partner = await joinAs(api, owner, "owner");
      const own = (await owner.post("/api/workspaces", { name: "Own" })).body.id;
      for (const workspaceId of [own, owner.workspaceId, owner.workspaceId])
        await sendEnvelope(owner, { workspaceId });
      const removal = {
        workspaces: 1,
        envelopes: 1,
        keptWorkspaces: 1,
        keptEnvelopes: 2,
        keptBy: partner.email,
      };
      const { body } = await admin.get(accountOf(owner));
      expect(body.removal).toMatchObject(removal);
      expect(body.removal.keptBytes).toBeGreaterThan(body.removal.storageBytes);
      expect((await admin.delete(accountOf(owner))).status).toBe(204);
      const [entry] = (await admin.get(`${ROOT}/audit?limit=1`)).body;
      expect(entry).toMatchObject({ action: "account_deleted", detail: body.removal });
      expect((await partner.get(`/api/requests?workspaceId=${owner.workspaceId}`)).body).toHaveLength(2);
      const alone = (await admin.get(accountOf(partner))).body.removal;
      expect(alone).toMatchObject({ workspaces: 2, envelopes: 2, keptWorkspaces: 0, keptBy: null });
    });

    test("shows and removes second factors; of an account without one, nothing changes and nobody is told", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const reset = () => admin.post(`${accountOf(owner)}/reset-two-factor`);
      const entries = () =>
        api.select(
          `select id from audit_entries where action = 'two_factor_reset' and subject_id = ${owner.id}`,
        );
      const mails = async () => {
        await api.finishBackgroundWork();
        return api.select(
          `select id from notifications where kind = 'two_factor_reset' and user_id = ${owner.id}`,
        );
      };
      const rejected = await reset();
      expect([rejected.status, rejected.body.code]).toEqual([409, "no_second_factor"]);
      expect([await entries(), await mails(), (await owner.get("/api/user")).status]).toEqual([[], [], 200]);
      await setUpTotp(owner);
      expect((await admin.get(accountOf(owner))).body.secondFactors).toEqual({
        totp: true,
        passkeys: 0,
        recoveryCodesLeft: 10,
      });
      expect((await reset()).status).toBe(204);
      expect((await admin.get(accountOf(owner))).body.secondFactors).toMatchObject({ totp: false });
      expect((await owner.get("/api/user")).status).toBe(401);
      expect((await signIn(api, owner)).answer.status).toBe(200);
      expect([(await entries()).length, (await mails()).length]).toEqual([1, 1]);
      expect((await reset()).status).toBe(409);
    });

    test("mails a password reset link", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const response = await admin.post(`${accountOf(owner)}/reset-password`);
      expect([response.status, response.text]).toEqual([204, ""]);
      const [token] = await mailedTokens(api, "reset", owner.email);
      const reset = await api.anonymous().post("/api/password/reset", { token, newPassword: "new secret" });
      expect(reset.status).toBe(204);
      expect((await signIn(api, { ...owner, password: "new secret" })).answer.status).toBe(200);
    });

    test("shows the bytes of an account, and what its unfinished uploads reserve", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const envelope: ApiResponse["body"] = await sendEnvelope(owner);
      const texts = (await admin.get(accountOf(owner))).body.storageBytes;
      const tus = createTus(api, envelope);
      const created = await tus.create(envelope.documents[0].id, "a.pdf", 2 * MIB);
      await tus.patch(locationOf(created), 0, (await largePdfFile(2 * MIB).bytes()).slice(0, MIB));
      const [account] = (await admin.get(`${ROOT}/accounts?search=${owner.email}`)).body;
      expect(account).toMatchObject({ storageBytes: MIB + texts, reservedBytes: MIB });
    });

    test("shows the bytes of an account's texts, as its quota counts them", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const before = (await admin.get(ROOT)).body.storage.bytes;
      await sendEnvelope(owner, { message: "m".repeat(10_000) });
      const [account] = (await admin.get(`${ROOT}/accounts?search=${owner.email}`)).body;
      expect(account.storageBytes).toBeGreaterThan(10_000);
      expect((await admin.get(ROOT)).body.storage.bytes).toBe(before + account.storageBytes);
      const storageQuota = account.storageBytes + 5000;
      await api.execute(`update users set storage_quota = ${storageQuota} where id = ${owner.id}`);
      const contact = (bytes: number) => ({ firstName: "A", notes: "n".repeat(bytes - 1) });
      const rejected = await owner.post("/api/contacts", contact(5001));
      expect([rejected.status, rejected.body.code]).toEqual([507, "storage_full"]);
      expect((await owner.post("/api/contacts", contact(5000))).status).toBe(201);
      expect((await admin.get(accountOf(owner))).body.storageBytes).toBe(storageQuota);
    });

    test("an account's own quota replaces that of the instance", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      const links = [linkOf(await sendEnvelope(owner))];
      for (let count = 1; count < 5; count += 1) links.push(linkOf(await sendEnvelope(owner)));
      const submit = async (size: number) => {
        const link = links.pop() ?? "";
        return (await api.anonymous().post(link, form({ Contract: largePdfFile(size) }))).status;
      };
      const quota = (bytes: number | null) => admin.put(`${accountOf(owner)}/quota`, { bytes });
      expect(await submit(4 * MIB)).toBe(507);
      expect((await quota(5 * MIB)).body).toMatchObject({ storageQuota: 5 * MIB, storageLimit: 5 * MIB });
      expect([await submit(4 * MIB), await submit(2 * MIB)]).toEqual([201, 507]);
      expect((await quota(-1)).body.storageLimit).toBeNull();
      expect(await submit(2 * MIB)).toBe(201);
      await quota(0);
      expect(await submit(10_000)).toBe(507);
      expect((await quota(null)).body).toMatchObject({ storageQuota: null, storageLimit: 3 * MIB });
      for (const bytes of [-2, 1.5, "many", 2 ** 52])
        expect((await admin.put(`${accountOf(owner)}/quota`, { bytes })).status).toBe(400);
    });

    test("administrators cannot disable or delete their own account", async () => {
      const admin = await administrator(api);
      const disabled = await admin.post(`${accountOf(admin)}/disable`);
      expect([disabled.status, disabled.body.code]).toEqual([409, "own_account"]);
      expect((await admin.delete(accountOf(admin))).status).toBe(409);
      expect((await admin.get("/api/user")).status).toBe(200);
    });

    test("of two administrators who disable each other concurrently, one remains", async () => {
      for (let round = 0; round < 5; round += 1) {
        const [one, two] = [await administrator(api), await administrator(api)];
        const responses = await Promise.all([
          one.post(`${accountOf(two)}/disable`),
          two.post(`${accountOf(one)}/disable`),
        ]);
        const statuses = responses.map(({ status }) => status).sort();
        expect(statuses[0]).toBe(200);
        expect([401, 403]).toContain(statuses[1] ?? 0);
        const rows = await api.select(
          `select id from users where id in (${one.id}, ${two.id}) and disabled_at is null`,
        );
        expect(rows).toHaveLength(1);
      }
    });

    test("a revoked role ends immediately", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      await admin.patch("/api/user/profile", { email: "elsewhere@example.org" });
      const rejected = await admin.post(`${accountOf(owner)}/disable`);
      expect([rejected.status, rejected.body.code]).toEqual([403, "administrators_only"]);
      expect((await owner.get("/api/user")).status).toBe(200);
    });

    test("an administrator's API token is rejected", async () => {
      const admin = await administrator(api);
      const { token } = (await admin.post("/api/tokens", { name: "Program", scope: "write" })).body;
      const { status, body } = await programOf(api, token).get(ROOT);
      expect([status, body.code]).toEqual([403, "token_not_allowed"]);
    });

    test("a missing account and an unknown route return 404", async () => {
      const admin = await administrator(api);
      for (const id of ["999999", "0", "x"])
        expect((await admin.post(`${ROOT}/accounts/${id}/disable`)).status).toBe(404);
      expect((await api.anonymous().get(`${ROOT}/unknown`)).status).toBe(404);
    });

    test("the audit log has each action with actor, target and address", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      await admin.post(`${accountOf(owner)}/disable`);
      await admin.post(`${accountOf(owner)}/enable`);
      await admin.put(`${accountOf(owner)}/quota`, { bytes: MIB });
      await admin.post(`${accountOf(owner)}/reset-password`);
      await admin.post(`${ROOT}/invitations`, { email: "guest@example.org" });
      const [invitation] = (await admin.get(`${ROOT}/invitations`)).body;
      await admin.delete(`${ROOT}/invitations/${invitation.id}`);
      await admin.post(`${ROOT}/accounts/999999/disable`);
      const { body, headers } = await admin.get(`${ROOT}/audit?limit=6`);
      expect(body.map(({ action }: { action: string }) => action)).toEqual([
        "invitation_withdrawn",
        "invitation_sent",
        "password_reset_sent",
        "quota_changed",
        "account_enabled",
        "account_disabled",
      ]);
      expect(body[3]).toMatchObject({
        actor: admin.email,
        actorId: admin.id,
        address: "203.0.113.7",
        subject: owner.email,
        subjectId: owner.id,
        detail: { bytes: MIB },
        createdAt: "2026-03-14T09:26:53.000Z",
      });
      expect(headers.get("link")).toContain(`${ROOT}/audit?limit=6&cursor=`);
      const all = await admin.get(`${ROOT}/audit?limit=6&cursor=${Number.MAX_SAFE_INTEGER}`);
      expect(all.body.map(({ id }: { id: number }) => id)).toEqual(body.map(({ id }: { id: number }) => id));
    });

    test("the audit log is filtered by action, person and day, also as CSV", async () => {
      const admin = await administrator(api);
      const [owner, other] = [await api.signUp(), await api.signUp()];
      for (const one of [owner, other]) await admin.post(`${accountOf(one)}/disable`);
      await admin.post(`${accountOf(owner)}/enable`);
      const about = `person=${encodeURIComponent(owner.email.toUpperCase())}`;
      const found = async (filter: string) =>
        (await admin.get(`${ROOT}/audit?${filter}`)).body.map(({ action }: { action: string }) => action);
      expect(await found(about)).toEqual(["account_enabled", "account_disabled", "account_created"]);
      expect(await found(`${about}&action=account_disabled`)).toEqual(["account_disabled"]);
      expect(await found(`${about}&from=2026-03-14&to=2026-03-14`)).toHaveLength(3);
      expect(await found(`${about}&from=2026-03-15`)).toEqual([]);
      expect(await found(`${about}&to=2026-03-13`)).toEqual([]);
      const csv = await admin.get(`${ROOT}/audit.csv?${about}`);
      expect(csv.headers.get("content-type")).toContain("text/csv");
      expect(csv.text.replace("\ufeff", "").trim().split("\r\n")).toEqual([
        "time,action,actor,address,subject,detail",
        `2026-03-14T09:26:53.000Z,account_enabled,${admin.email},203.0.113.7,${owner.email},{}`,
        `2026-03-14T09:26:53.000Z,account_disabled,${admin.email},203.0.113.7,${owner.email},{}`,
        `2026-03-14T09:26:53.000Z,account_created,${owner.email},203.0.113.7,${owner.email},"{""way"":""registration""}"`,
      ]);
      for (const wrong of ["action=party", "from=yesterday", "to=2026-02-31"])
        expect((await admin.get(`${ROOT}/audit?${wrong}`)).status).toBe(400);
    });

    test("the log's download ends with the right to it", async () => {
      const admin = await administrator(api);
      // 48 MB: Linux may buffer 36 MB of a connection, which the check would come too late for.
      await api.execute(
        `insert into audit_entries (action, actor, subject, detail, created_at) select 'account_created', 'x', 'x', json_object('way', hex(zeroblob(8000))), '${TEST_START}' from json_each('${JSON.stringify(Array(3000).fill(0))}')`,
      );
      const readAll = async (meanwhile: () => Promise<unknown>) => {
        const url = `${api.origin}${ROOT}/audit.csv`;
        const { body } = await api.fetch(new Request(url, { headers: { cookie: admin.cookie } }));
        const reader = body?.getReader();
        await reader?.read();
        await meanwhile();
        for (;;) {
          const read = await reader?.read().catch(() => null);
          if (!read) return "failed";
          if (read.done) return "complete";
        }
      };
      const later = () => api.setClock(new Date(Date.parse(TEST_START) + 6000).toISOString());
      expect(await readAll(later)).toBe("complete");
      await api.setClock(TEST_START);
      const loss = `update users set pending_email = 'other@example.com' where id = ${admin.id}`;
      expect(await readAll(async () => [await api.execute(loss), await later()])).toBe("failed");
      await api.execute(`update users set pending_email = null where id = ${admin.id}`);
      await api.setClock(TEST_START);
    });

    test("failed messages are listed in pages, without recipients, and sent again one by one or together", async () => {
      const admin = await administrator(api);
      const owner = await api.signUp();
      await api.execute("delete from notifications where status = 'failed'");
      await api.execute(`update users set is_verified = 1 where id = ${owner.id}`);
      await api.finishBackgroundWork();
      await api.setMail("rejects");
      const envelopes = [];
      for (const name of ["Rita", "Rosa", "Ruth"])
        envelopes.push(await sendEnvelope(owner, { recipientEmail: `${name}@clients.example.com` }));
      await api.anonymous().post("/api/password/forgot", { email: owner.email });
      await api.finishBackgroundWork();
      await api.setMail("works");

      const { body: page, headers } = await admin.get(`${ROOT}/outbox?limit=3`);
      expect(page.map(({ kind }: { kind: string }) => kind)).toEqual([
        "password_reset",
        "invitation",
        "invitation",
      ]);
      expect(headers.get("link")).toContain('rel="next"');
      expect(page[0]).toMatchObject({ account: owner.email, envelopeId: null, canRetry: false });
      expect(page[1]).toMatchObject({
        ...{ account: owner.email, accountId: owner.id, envelopeId: envelopes[2].id, status: "failed" },
        ...{ attempts: 1, failure: "refused", canRetry: true },
      });
      expect(JSON.stringify(page)).not.toContain("clients.example.com");
      expect((await owner.get(`${ROOT}/outbox`)).body.code).toBe("administrators_only");

      const retry = (id: number) => admin.post(`${ROOT}/outbox/${id}/retry`);
      expect((await retry(page[0].id)).body.code).toBe("message_ended");
      expect((await retry(999_999)).status).toBe(404);
      expect((await retry(page[1].id)).body).toMatchObject({ id: page[1].id, error: null });
      await api.finishBackgroundWork();
      expect((await retry(page[1].id)).body.code).toBe("message_ended");
      // An envelope that ended meanwhile asks nobody any more, and one that was deleted has no messages.
      await api.execute(`update envelopes set status = 'completed' where id = ${envelopes[0].id}`);
      await owner.delete(`/api/requests/${envelopes[1].id}`);
      expect((await admin.post(`${ROOT}/outbox/retry`)).body).toEqual({ left: 0 });
      await api.finishBackgroundWork();
      const left = await admin.get(`${ROOT}/outbox`);
      expect(left.body.map(({ kind }: { kind: string }) => kind)).toEqual(["password_reset"]);
      const told = (await api.mails()).filter(({ to }) => to.endsWith("@clients.example.com"));
      expect(told.map(({ to }) => to)).toEqual(["ruth@clients.example.com"]);
      const { body: log } = await admin.get(`${ROOT}/audit?action=messages_retried`);
      expect(
        log.map(({ subject, detail }: { subject: string; detail: object }) => [subject, detail]),
      ).toEqual([
        ["", {}],
        [owner.email, { message: page[1].id }],
      ]);
    });

    test("a test mail goes to the administrator at once, and its result is returned", async () => {
      const admin = await administrator(api);
      expect(await admin.post(`${ROOT}/test-mail`)).toMatchObject({
        status: 200,
        body: { to: admin.email, sent: true, error: null },
      });
      const mail = (await api.mails()).findLast(({ to }) => to === admin.email);
      expect(mail?.subject).toBe("Test email from Doculopes");
    });

    test("the audit log cannot be changed, even by SQL", async () => {
      const before = await api.select("select * from audit_entries");
      expect(before.length).toBeGreaterThan(0);
      const [{ id } = {}] = before;
      const columns = "id, created_at, action, actor, subject, detail";
      for (const statement of [
        "delete from audit_entries",
        "update audit_entries set actor = 'somebody'",
        `insert or replace into audit_entries (${columns}) values (${id}, '', '', '', '', '{}')`,
      ])
        expect(async () => api.execute(statement)).toThrow("append-only");
      expect(await api.select("select * from audit_entries")).toEqual(before);
    });
  },
);
