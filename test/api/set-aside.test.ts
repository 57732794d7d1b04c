import { afterAll, expect, test } from "bun:test";
import { hashToken, randomToken } from "../../worker/lib/tokens";
import { type Api, type Client, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { beginProviderSignIn, returnFrom } from "../support/api/provider-sign-in";
import { addWebhook } from "../support/api/webhooks";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";
import { startIdentityProvider } from "../support/servers/identity-provider";

/** What a stranger has made in an account with somebody else's address, once its owner proves the address. */

const provider = startIdentityProvider();
afterAll(() => provider.stop());

const CHOSEN = "chosen by the owner";
const SET_ASIDE = "/api/user/set-aside";

type Squat = { stranger: SignedUp; accomplice: SignedUp; envelope: { id: number; submissionToken: string } };

/** A stranger's account with somebody else's address, with all that one could make in it before this was forbidden. */
async function squat(api: Api): Promise<Squat> {
  const stranger = await api.signUp();
  const accomplice = await api.signUp();
  const path = `/api/workspaces/${stranger.workspaceId}/invitations`;
  for (const email of [accomplice.email, "later@example.com"])
    expect((await stranger.post(path, { email, role: "owner" })).status).toBe(201);
  const token = (await mailedTokens(api, "invite", accomplice.email)).at(-1);
  expect((await accomplice.post("/api/invitations/join", { token })).status).toBe(200);
  const { workspaceId } = stranger;
  const envelope = await sendEnvelope(accomplice, { workspaceId, reminderFrequency: "daily" });
  expect((await accomplice.post(`/api/requests/${envelope.id}/watch`)).status).toBe(204);
  await stranger.post("/api/templates", { name: "Trap", fields: [{ name: "Payslip" }], workspaceId });
  await accomplice.post("/api/contacts", { firstName: "Eve", email: "eve@example.com", workspaceId });
  await addWebhook(stranger);
  const hook = { url: "https://hooks.example.com/", events: ["request.sent"], workspaceId };
  expect((await accomplice.post("/api/webhooks", hook)).status).toBe(201);
  const scoped = { name: "Scoped", scope: "write", workspaceId };
  expect((await accomplice.post("/api/tokens", scoped)).status).toBe(201);
  await api.execute(
    `insert into owner_reverts (token_hash, workspace_id, user_id, member_since, created_at, expires_at)
     values ('hash ${workspaceId}', ${workspaceId}, ${accomplice.id}, '${TEST_START}', '${TEST_START}', '2027-01-01T00:00:00.000Z')`,
  );
  await api.execute(`update users set verified_by_owner = 0 where id = ${stranger.id}`);
  return { stranger, accomplice, envelope };
}

async function reset(api: Api, email: string): Promise<Client> {
  await api.anonymous().post("/api/password/forgot", { email });
  const token = (await mailedTokens(api, "reset", email)).at(-1);
  const owner = api.anonymous();
  expect((await owner.post("/api/password/reset", { token, newPassword: CHOSEN })).status).toBe(204);
  expect((await owner.post("/api/login", { email, password: CHOSEN })).status).toBe(200);
  return owner;
}

async function revert(api: Api, stranger: SignedUp): Promise<Client> {
  const { email } = stranger;
  expect((await stranger.patch("/api/user/profile", { email: `moved-${email}` })).status).toBe(200);
  const token = (await mailedTokens(api, "revert-email", email)).at(-1);
  expect((await api.anonymous().post("/api/user/revert-email", { token })).status).toBe(204);
  return reset(api, email);
}

async function signInByProvider(api: Api, email: string): Promise<Client> {
  const owner = api.anonymous();
  const url = await beginProviderSignIn(owner, "google");
  const code = provider.agree(url, { sub: `sub-${email}`, email, email_verified: true });
  expect(await returnFrom(owner, url, code)).toBe("/");
  return owner;
}

/** By the link of the operator's command, which ends the sessions. */
async function signInByLink(api: Api, { id }: SignedUp): Promise<Client> {
  const token = randomToken();
  await api.execute(`delete from sessions where user_id = ${id}`);
  await api.execute(
    `insert into sign_in_links (token_hash, user_id, created_at, expires_at)
     values ('${await hashToken(token)}', ${id}, '${TEST_START}', '2026-03-14T09:36:53.000Z')`,
  );
  const owner = api.anonymous();
  expect((await owner.post("/api/login/link", { token })).status).toBe(200);
  return owner;
}

const PROOFS = [
  ["a reset", (api: Api, { stranger }: Squat) => reset(api, stranger.email)],
  ["“This wasn't me”", (api: Api, { stranger }: Squat) => revert(api, stranger)],
  ["a sign-in with a provider", (api: Api, { stranger }: Squat) => signInByProvider(api, stranger.email)],
  ["the operator's link", (api: Api, { stranger }: Squat) => signInByLink(api, stranger)],
] as const;

describeApi(
  "what was made before an address was proved",
  { signInProviders: [provider.settings("google")] },
  (api) => {
    for (const [how, prove] of PROOFS)
      test(`is closed to everybody after ${how}, until the owner keeps it`, async () => {
        await api.setClock(TEST_START);
        await api.signUp();
        const made = await squat(api);
        const { stranger, accomplice, envelope } = made;
        const { workspaceId } = stranger;
        const owner = await prove(api, made);
        const { email, password } = stranger;
        expect((await api.anonymous().post("/api/login", { email, password })).status).toBe(401);
        expect((await stranger.get("/api/user")).status).toBe(401);
        expect((await owner.get("/api/user")).body).toMatchObject({ isProved: true, hasSetAside: true });
        const workspaces = (await owner.get("/api/workspaces")).body;
        expect(workspaces).toMatchObject([{ name: "My Workspace", role: "owner", memberCount: 1 }]);
        expect(workspaces[0].id).not.toBe(workspaceId);
        expect((await owner.get("/api/requests")).body).toEqual([]);
        expect((await accomplice.get(`/api/requests/${envelope.id}`)).status).toBe(404);
        expect((await accomplice.get(`/api/workspaces/${workspaceId}/members`)).status).toBe(404);
        expect((await accomplice.get("/api/workspaces")).body).toHaveLength(1);
        expect((await api.anonymous().get(linkOf(envelope))).status).toBe(404);
        for (const table of ["webhooks", "api_tokens", "invitations", "owner_reverts"])
          expect(await api.select(`select * from ${table} where workspace_id = ${workspaceId}`)).toEqual([]);
        expect(await api.select(`select * from webhooks where user_id = ${stranger.id}`)).toEqual([]);
        // Neither reminders nor the job that deletes closed workspaces touch it.
        await api.runJobs("2026-03-16T09:30:00.000Z");
        const reminded = (await api.mails()).filter(({ subject }) => subject.startsWith("Reminder:"));
        expect(reminded.filter(({ text }) => text.includes(envelope.submissionToken))).toEqual([]);

        const waiting = { id: workspaceId, name: "My Workspace", envelopes: 1, templates: 1, contacts: 1 };
        expect((await owner.get(SET_ASIDE)).body).toMatchObject([waiting]);
        expect((await accomplice.post(`${SET_ASIDE}/${workspaceId}/keep`)).status).toBe(404);
        expect((await accomplice.delete(`${SET_ASIDE}/${workspaceId}`)).body?.code).toMatch(
          /^(workspace_not_found|reauthentication_required)$/,
        );
        const kept = await owner.post(`${SET_ASIDE}/${workspaceId}/keep`);
        expect([kept.status, kept.body.id, kept.body.role, kept.body.memberCount]).toEqual([
          200,
          workspaceId,
          "owner",
          1,
        ]);
        expect((await owner.get("/api/user")).body.hasSetAside).toBe(false);
        expect((await owner.get(SET_ASIDE)).body).toEqual([]);
        const { body: found } = await owner.get(`/api/requests/${envelope.id}`);
        expect(found).toMatchObject({ userId: stranger.id, status: "pending" });
        expect(found.submissionToken).not.toBe(envelope.submissionToken);
        expect((await api.anonymous().get(linkOf(envelope))).status).toBe(404);
        const sent = await api.anonymous().post(linkOf(found), form({ Contract: pdfFile() }));
        expect(sent.status).toBe(201);
        expect((await accomplice.get(`/api/requests/${envelope.id}`)).status).toBe(404);
        expect(
          await api.select(`select * from envelope_watchers where envelope_id = ${envelope.id}`),
        ).toEqual([]);
        await api.finishBackgroundWork();
        const told = (await api.mails()).filter(({ subject }) => subject.includes("has sent the documents"));
        expect(told.filter(({ to }) => to === accomplice.email)).toEqual([]);
      });

    for (const [how, prove] of PROOFS)
      test(`asks for no document again by itself if the owner keeps it after ${how}`, async () => {
        await api.setClock(TEST_START);
        await api.signUp();
        const made = await squat(api);
        const { stranger } = made;
        const { workspaceId } = stranger;
        await api.execute(`update users set verified_by_owner = 1 where id = ${stranger.id}`);
        const sent = await sendEnvelope(stranger, { workspaceId });
        expect((await api.anonymous().post(linkOf(sent), form({ Contract: pdfFile() }))).status).toBe(201);
        const path = `/api/requests/${sent.id}/documents/${sent.documents[0].id}`;
        const planned = await stranger.patch(path, { validUntil: "2026-06-01", renewDays: 20 });
        expect(planned.status).toBe(200);
        await api.execute(`update users set verified_by_owner = 0 where id = ${stranger.id}`);
        const owner = await prove(api, made);
        expect((await owner.post(`${SET_ASIDE}/${workspaceId}/keep`)).status).toBe(200);
        const [document] = (await owner.get(`/api/requests/${sent.id}`)).body.documents;
        expect(document).toMatchObject({ validUntil: "2026-06-01", renewalPaused: true });
      });

    test("is deleted with its files if the owner does not want it, or deletes the account", async () => {
      for (const call of ["set-aside", "account"]) {
        await api.setClock(TEST_START);
        const { stranger, envelope } = await squat(api);
        await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
        const files = (await api.storedFiles()).length;
        const owner = await reset(api, stranger.email);
        const path = call === "account" ? "/api/user/account" : `${SET_ASIDE}/${stranger.workspaceId}`;
        expect((await owner.delete(path)).status).toBe(204);
        if (call === "set-aside") {
          expect((await owner.get("/api/user")).body.hasSetAside).toBe(false);
          expect((await owner.post(`${path}/keep`)).status).toBe(404);
        }
        await api.runJobs();
        expect(await api.select(`select * from workspaces where id = ${stranger.workspaceId}`)).toEqual([]);
        expect((await api.storedFiles()).length).toBe(files - 1);
      }
    });

    test("is not asked about if there is nothing, nor after the mailed link in a session or a later reset", async () => {
      await api.setClock(TEST_START);
      const empty = await api.signUp({ proved: false });
      const owner = await reset(api, empty.email);
      expect((await owner.get("/api/user")).body.hasSetAside).toBe(false);
      expect((await owner.get("/api/workspaces")).body).toMatchObject([{ id: empty.workspaceId }]);

      const trapped = await api.signUp({ proved: false });
      const columns =
        "workspace_id, kind, name, delivered_when, folder_rule, include_answers, created_at, updated_at, connected_by";
      const values = `${trapped.workspaceId}, 'webdav', 'NAS', 'submitted', '', 0, '${TEST_START}', '${TEST_START}', ${trapped.id}`;
      await api.execute(`insert into destinations (${columns}) values (${values})`);
      const warned = await reset(api, trapped.email);
      expect((await warned.get(SET_ASIDE)).body).toMatchObject([{ id: trapped.workspaceId }]);

      const honest = await api.signUp({ proved: false });
      await honest.post("/api/templates", { name: "Mine", fields: [{ name: "Payslip" }] });
      const [token] = await mailedTokens(api, "verify", honest.email);
      expect((await honest.post("/api/user/verify", { token })).status).toBe(204);
      const again = await reset(api, honest.email);
      expect((await again.get("/api/templates")).body).toHaveLength(1);
    });

    test("stays with the other owners if the account is no owner of it any more", async () => {
      const squatted = await squat(api);
      const { stranger, accomplice } = squatted;
      const member = `/api/workspaces/${stranger.workspaceId}/members/${stranger.id}`;
      expect((await accomplice.patch(member, { role: "viewer" })).status).toBe(200);
      const again = await reset(api, stranger.email);
      expect((await again.get(SET_ASIDE)).body).toEqual([]);
      const found = (await accomplice.get("/api/workspaces")).body;
      expect(found.map(({ id }: { id: number }) => id)).toContain(stranger.workspaceId);
      const roles = (await again.get("/api/workspaces")).body.map(({ role }: { role: string }) => role);
      expect(roles).toEqual(["viewer"]);
    });

    test("stays open where no mail is configured, since a reset proves nothing then", async () => {
      const person = await api.signUp({ proved: false });
      await person.post("/api/templates", { name: "Mine", fields: [{ name: "Payslip" }] });
      await api.setMail("unset");
      const again = await reset(api, person.email);
      await api.setMail("works");
      expect((await again.get("/api/templates")).body).toHaveLength(1);
    });
  },
);
