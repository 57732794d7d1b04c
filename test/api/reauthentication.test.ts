import { afterAll, expect, test } from "bun:test";
import { type Api, type Client, describeApi, programOf } from "../support/api/client";
import { linkOf, sendEnvelope } from "../support/api/envelopes";
import { beginProviderSignIn, returnFrom } from "../support/api/provider-sign-in";
import { joinAs } from "../support/api/team";
import { TEST_START } from "../support/runtime/runtime";
import { startIdentityProvider } from "../support/servers/identity-provider";

const provider = startIdentityProvider();
afterAll(() => provider.stop());

const TOKEN = { name: "Backup", scope: "write" };
const WEBHOOK = { url: "https://127.0.0.1:9/", events: ["request.deleted"] };
const after = (minutes: number) => new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString();

let subjects = 9000;

/** An account that signs in with a provider alone. */
async function withoutPassword(api: Api): Promise<Client & { email: string }> {
  const client = api.anonymous();
  subjects += 1;
  const email = `provider${subjects}@example.org`;
  const url = await beginProviderSignIn(client, "google");
  await returnFrom(client, url, provider.agree(url, { sub: String(subjects), email, email_verified: true }));
  return Object.assign(client, { email });
}

async function mailedCode(api: Api, email: string): Promise<string> {
  await api.finishBackgroundWork();
  const mail = (await api.mails()).findLast(
    ({ to, subject }) => to === email && / is your code /.test(subject),
  );
  return /\d{6}/.exec(mail?.subject ?? "")?.[0] ?? "";
}

type Call = [method: string, path: string, body?: object];

const outcome = ({ status, body }: { status: number; body: { code?: string } | null }) => [
  status,
  body?.code,
];

describeApi(
  "re-authentication",
  {
    rateLimits: "on",
    signInProviders: [provider.settings("google")],
    variables: { WEBHOOK_ALLOW_PRIVATE: "on" },
  },
  (api) => {
    test("ten minutes after signing in, a new token needs the password again, in this session", async () => {
      await api.setClock(TEST_START);
      const alice = await api.signUp();
      const other = api.anonymous();
      await other.post("/api/login", { email: alice.email, password: alice.password });
      await api.setClock(after(9.9));
      expect((await alice.post("/api/tokens", TOKEN)).status).toBe(201);
      await api.setClock(after(10));
      const refused = await alice.post("/api/tokens", TOKEN);
      expect([refused.status, refused.body]).toEqual([
        403,
        { message: "Please confirm that it's you", code: "reauthentication_required", methods: ["password"] },
      ]);
      const wrong = await alice.post("/api/reauthenticate", { password: "not this one" });
      expect(outcome(wrong)).toEqual([400, "wrong_password"]);
      expect((await alice.post("/api/tokens", TOKEN)).status).toBe(403);
      expect((await alice.post("/api/reauthenticate", { password: alice.password })).status).toBe(204);
      expect((await alice.post("/api/tokens", TOKEN)).status).toBe(201);
      expect((await other.post("/api/tokens", TOKEN)).status).toBe(403);
      await api.setClock(after(20));
      expect((await alice.post("/api/tokens", TOKEN)).status).toBe(403);
    });

    test("a sign-in while the clock was a year ahead is not recent afterwards", async () => {
      await api.setClock(after(365 * 24 * 60));
      const ada = await api.signUp();
      expect((await ada.post("/api/tokens", TOKEN)).status).toBe(201);
      await api.setClock(TEST_START);
      expect((await ada.post("/api/tokens", TOKEN)).status).toBe(403);
    });

    test("a webhook's secret is replaced after a recent sign-in, or with an API token", async () => {
      await api.setClock(TEST_START);
      const alice = await api.signUp();
      const { token } = (await alice.post("/api/tokens", TOKEN)).body;
      const program = programOf(api, token);
      await api.setClock(after(60));
      const webhook = await program.post("/api/webhooks", WEBHOOK);
      expect(webhook.status).toBe(201);
      const rotate = `/api/webhooks/${webhook.body.id}/rotate`;
      expect(outcome(await alice.post(rotate))).toEqual([403, "reauthentication_required"]);
      expect((await program.post(rotate)).status).toBe(200);
      await alice.post("/api/reauthenticate", { password: alice.password });
      expect((await alice.post(rotate)).status).toBe(200);
      for (const path of ["/api/reauthenticate", "/api/reauthenticate/mail"])
        expect(outcome(await program.post(path, { password: alice.password }))).toEqual([
          403,
          "token_not_allowed",
        ]);
    });

    test("who has access to a workspace or the instance changes after a recent sign-in, or with an API token", async () => {
      await api.setClock(TEST_START);
      const alice = await api.signUp();
      const bob = await joinAs(api, alice, "member");
      const workspace = `/api/workspaces/${alice.workspaceId}`;
      const { token } = (await alice.post("/api/tokens", TOKEN)).body;
      const { body: webhook } = await alice.post("/api/webhooks", { ...WEBHOOK, description: "Archive" });
      await api.setClock(after(11));
      const description = "The archive of contracts";
      const calls: Call[] = [
        ["POST", `${workspace}/invitations`, { email: "carol@example.com", role: "owner" }],
        ["PATCH", `${workspace}/members/${bob.id}`, { role: "owner" }],
        ["DELETE", `${workspace}/members/${bob.id}`],
        ["POST", "/api/webhooks", WEBHOOK],
        ["PATCH", `/api/webhooks/${webhook.id}`, { url: "https://127.0.0.1:10/", description }],
        ["PATCH", `/api/webhooks/${webhook.id}`, { events: ["request.sent"] }],
        ["PATCH", `/api/webhooks/${webhook.id}`, { enabled: true }],
        ["DELETE", workspace],
      ];
      const rejected = [403, "reauthentication_required"];
      for (const call of calls) expect(outcome(await alice.send(...call))).toEqual(rejected);
      const members = (await alice.get(`${workspace}/members`)).body;
      expect(members.members.map(({ role }: { role: string }) => role)).toEqual(["owner", "member"]);
      expect(members.invitations).toEqual([]);
      expect((await alice.get("/api/webhooks")).body).toMatchObject([{ ...WEBHOOK, description: "Archive" }]);
      expect((await alice.patch(`/api/webhooks/${webhook.id}`, { description })).status).toBe(200);
      expect((await bob.delete(`${workspace}/members/${bob.id}`)).status).toBe(204);
      const program = programOf(api, token);
      for (const call of calls) expect(outcome(await program.send(...call))).not.toEqual(rejected);
    });

    test("a confidential answer is revealed after a recent sign-in, and never with an API token", async () => {
      await api.setClock(TEST_START);
      const alice = await api.signUp();
      const { token } = (await alice.post("/api/tokens", TOKEN)).body;
      const documents = [{ name: "Account", kind: "text", confidential: true }];
      const envelope = await sendEnvelope(alice, { documents });
      const { id } = envelope.documents[0];
      const answers = { [id]: "a quetzal" };
      expect((await api.anonymous().post(`${linkOf(envelope)}/submit`, { answers })).status).toBe(201);
      await api.setClock(after(11));
      const reveal = `/api/requests/${envelope.id}/answers/${id}/reveal`;
      expect(outcome(await alice.post(reveal))).toEqual([403, "reauthentication_required"]);
      expect(outcome(await programOf(api, token).post(reveal))).toEqual([403, "token_not_allowed"]);
      await alice.post("/api/reauthenticate", { password: alice.password });
      expect((await alice.post(reveal)).body).toEqual({ value: "a quetzal" });
    });

    test("an administrator changes accounts and invites after a recent sign-in", async () => {
      await api.setClock(TEST_START);
      const administrator = await api.signUp();
      const bob = await api.signUp();
      await api.execute(`update users set is_administrator = 1 where id = ${administrator.id}`);
      await api.setClock(after(11));
      const account = `/api/administration/accounts/${bob.id}`;
      const calls: Call[] = [
        ["POST", `${account}/disable`],
        ["POST", `${account}/enable`],
        ["POST", `${account}/reset-password`],
        ["PUT", `${account}/quota`, { bytes: 1 }],
        ["DELETE", account],
        ["POST", "/api/administration/invitations", { email: "carol@example.com" }],
      ];
      for (const call of calls)
        expect(outcome(await administrator.send(...call))).toEqual([403, "reauthentication_required"]);
      await administrator.post("/api/reauthenticate", { password: administrator.password });
      for (const call of calls) expect((await administrator.send(...call)).status).toBeLessThan(300);
    });

    test("exactly one way to confirm is accepted, and wrong passwords are limited", async () => {
      await api.setClock(TEST_START);
      const alice = await api.signUp();
      for (const body of [{}, { password: alice.password, code: "123456" }, { password: null }])
        expect(outcome(await alice.post("/api/reauthenticate", body))).toEqual([400, "validation"]);
      const responses = [];
      for (let count = 0; count < 11; count++)
        responses.push((await alice.post("/api/reauthenticate", { password: "wrong" })).status);
      expect(responses).toEqual([...Array(10).fill(400), 429]);
    });

    test("who has neither a password nor a second factor gets a code by mail", async () => {
      await api.setClock(TEST_START);
      const alice = await withoutPassword(api);
      await api.setClock(after(11));
      const refused = await alice.post("/api/tokens", TOKEN);
      expect([refused.status, refused.body.methods]).toEqual([403, ["mail"]]);
      const any = { code: "000000" };
      expect(outcome(await alice.post("/api/reauthenticate", any))).toEqual([401, "challenge_ended"]);
      expect(outcome(await alice.post("/api/reauthenticate", { password: "" }))).toEqual([
        400,
        "wrong_password",
      ]);
      expect((await alice.post("/api/reauthenticate/mail")).status).toBe(204);
      const code = await mailedCode(api, alice.email);
      expect(code).toMatch(/^\d{6}$/);
      const stored = JSON.stringify(await api.select("select * from challenges"));
      expect(stored).not.toContain(code);
      const typed = ` ${code.slice(0, 3)} ${code.slice(3)}`;
      const twice = await Promise.all([1, 2].map(() => alice.post("/api/reauthenticate", { code: typed })));
      expect(twice.map(({ status }) => status).sort()).toEqual([204, 401]);
      expect((await alice.post("/api/tokens", TOKEN)).status).toBe(201);
    });

    test("a mailed code works in the session that asked for it, for ten minutes and five tries", async () => {
      await api.setClock(TEST_START);
      const alice = await withoutPassword(api);
      await alice.post("/api/reauthenticate/mail");
      const code = await mailedCode(api, alice.email);
      const wrong = { code: code === "000000" ? "111111" : "000000" };
      for (let tries = 0; tries < 5; tries++)
        expect(outcome(await alice.post("/api/reauthenticate", wrong))).toEqual([400, "invalid_code"]);
      expect(outcome(await alice.post("/api/reauthenticate", { code }))).toEqual([401, "challenge_ended"]);
      await alice.post("/api/reauthenticate/mail");
      const second = await mailedCode(api, alice.email);
      const bob = await withoutPassword(api);
      expect(outcome(await bob.post("/api/reauthenticate", { code: second }))).toEqual([
        401,
        "challenge_ended",
      ]);
      await api.setClock(after(10.1));
      expect(outcome(await alice.post("/api/reauthenticate", { code: second }))).toEqual([
        401,
        "challenge_ended",
      ]);
    });

    test("who has a password gets no code by mail", async () => {
      const alice = await api.signUp();
      expect(outcome(await alice.post("/api/reauthenticate/mail"))).toEqual([409, "other_method"]);
    });

    test("five codes an hour are mailed", async () => {
      await api.setClock(TEST_START);
      const alice = await withoutPassword(api);
      const responses = [];
      for (let count = 0; count < 6; count++)
        responses.push((await alice.post("/api/reauthenticate/mail")).status);
      expect(responses).toEqual([...Array(5).fill(204), 429]);
    });
  },
);
