import { afterAll, beforeAll, expect, test } from "bun:test";
import { appConfig, readVariables } from "../../worker/config";
import { type Api, type Client, describeApi, type SignedUp } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";
import { beginProviderSignIn, returnFrom } from "../support/api/provider-sign-in";
import { type ProviderAccount, startIdentityProvider } from "../support/servers/identity-provider";

const provider = startIdentityProvider();
afterAll(() => provider.stop());

const PASSWORD = "a long password";
const register = (api: Api, email: string) =>
  api.anonymous().post("/api/register", { email, password: PASSWORD });

/** Where the browser lands after signing in with Google. */
async function signIn(api: Api, account: Omit<ProviderAccount, "sub">): Promise<string | null> {
  const client = api.anonymous();
  const url = await beginProviderSignIn(client, "google");
  return returnFrom(client, url, provider.agree(url, { sub: crypto.randomUUID(), ...account }));
}

const counted = async (api: Api, table: string) => (await api.select(`select * from ${table}`)).length;

const MODES: ({ SIGN_UP: string; code: string } & Record<string, string>)[] = [
  { SIGN_UP: "invite", code: "invitation_required" },
  { SIGN_UP: "administrators", code: "invitation_required" },
  { SIGN_UP: "domains", SIGN_UP_DOMAINS: "acme.example", code: "invitation_required" },
  { SIGN_UP: "off", code: "sign_up_closed" },
];

for (const { code, ...variables } of MODES) {
  const { SIGN_UP } = variables;
  describeApi(
    `SIGN_UP=${SIGN_UP}`,
    {
      variables,
      signInProviders: [provider.settings("google")],
    },
    (api) => {
      test("allows the first account, one of several concurrent ones", async () => {
        expect((await api.anonymous().get("/api/session")).body).toEqual({
          signedIn: false,
          noAccount: true,
        });
        const responses = await Promise.all(
          ["ada", "bea", "cleo", "dora"].map((name) => register(api, `${name}@example.com`)),
        );
        expect(responses.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
        expect(await counted(api, "users")).toBe(1);
        expect(await counted(api, "workspaces")).toBe(1);
      });

      test("allows no further account, and says why", async () => {
        const { status, body } = await register(api, "eve@example.com");
        expect([status, body.code]).toEqual([403, code]);
        expect(body.message).toMatch(/account/);
        const session = await api.anonymous().get("/api/session");
        expect(session.body).toEqual({ signedIn: false, signUp: SIGN_UP });
      });

      test("does not reveal whether an address has an account", async () => {
        const [owner] = await api.select("select email from users");
        expect((await register(api, String(owner?.email))).body.code).toBe(code);
      });

      test("creates no account at a sign-in with a provider, but signs in existing ones", async () => {
        const stranger = { email: "eve@example.com", email_verified: true };
        expect(await signIn(api, stranger)).toBe(`/auth?error=${code}`);
        expect(await signIn(api, { ...stranger, email_verified: false })).toBe(`/auth?error=${code}`);
        expect(await counted(api, "users")).toBe(1);
        expect(await counted(api, "identities")).toBe(0);
        const [owner] = await api.select("select email from users");
        expect(await signIn(api, { email: String(owner?.email), email_verified: true })).toBe("/");
      });

      test("sends nothing to a rejected address", async () => {
        await api.finishBackgroundWork();
        const recipients = (await api.mails()).map(({ to }) => to);
        expect(recipients).not.toContain("eve@example.com");
      });
    },
  );
}

const accept = (api: Api, token: string) => {
  const client = api.anonymous();
  return client
    .post("/api/invitations/accept", { token, password: PASSWORD })
    .then(({ status, body }) => Object.assign(client, { status, code: body.code, id: body.id }));
};

/** How each account came, as the audit log says it, the latest first. */
const waysOf = async (admin: SignedUp) =>
  (await admin.get("/api/administration/audit?action=account_created")).body.map(
    ({ subject, detail }: { subject: string; detail: { way: string } }) => [subject, detail.way],
  );

const ownWorkspace = async (client: Client) =>
  (await client.get("/api/workspaces")).body.find(
    ({ memberCount }: { memberCount: number }) => memberCount === 1,
  ).id;

/** An invitation to a workspace, with the mailed link's token if one was mailed. */
async function inviteInto(api: Api, owner: Client, workspaceId: number, email: string, role = "viewer") {
  const path = `/api/workspaces/${workspaceId}/invitations`;
  const { status, body } = await owner.post(path, { email, role });
  return { status, code: body.code, token: (await mailedTokens(api, "invite", email)).at(-1) ?? "" };
}

/** An account that an administrator has invited to the instance. */
async function invitedBy(api: Api, admin: SignedUp, email: string) {
  expect((await admin.post("/api/administration/invitations", { email })).status).toBe(201);
  return accept(api, (await mailedTokens(api, "invite", email)).at(-1) ?? "");
}

/** Stores an invitation as an earlier mode has made it. @returns the token of its link */
async function storeInvitation(api: Api, email: string, columns: Record<string, string | number>) {
  const token = crypto.randomUUID();
  const values = { token_hash: `'${await sha256Text(token)}'`, email: `'${email}'`, ...columns };
  const times = "'2026-03-14T09:26:53.000Z', '2026-03-20T09:26:53.000Z'";
  await api.execute(
    `insert into invitations (${Object.keys(values)}, created_at, expires_at) values (${Object.values(values)}, ${times})`,
  );
  return token;
}

describeApi(
  "who may invite people without an account, with SIGN_UP=invite:",
  { variables: { SIGN_UP: "invite" }, signInProviders: [provider.settings("google")] },
  (api) => {
    let boss: SignedUp;
    beforeAll(async () => {
      boss = await api.signUp();
    });

    test("not a viewer, from a workspace of their own, who may invite accounts there", async () => {
      const { token } = await inviteInto(api, boss, boss.workspaceId, "viewer@office.example");
      const viewer = await accept(api, token);
      const own = await ownWorkspace(viewer);
      const stranger = await inviteInto(api, viewer, own, "stranger@elsewhere.example", "owner");
      expect(stranger).toEqual({ status: 403, code: "administrators_invite", token: "" });
      expect((await inviteInto(api, viewer, own, boss.email, "viewer")).status).toBe(201);
      const made = await viewer.post("/api/workspaces", { name: "Another" });
      expect((await inviteInto(api, viewer, made.body.id, "stranger@elsewhere.example")).status).toBe(403);
    });

    test("owners beside somebody whom an administrator has let in, in that workspace only", async () => {
      const partner = await invitedBy(api, boss, "partner@office.example");
      const shared = await ownWorkspace(partner);
      const { token } = await inviteInto(api, partner, shared, "owner@office.example", "owner");
      const owner = await accept(api, token);
      const guest = await inviteInto(api, owner, shared, "guest@office.example");
      expect(guest.status).toBe(201);
      const own = await owner.post("/api/workspaces", { name: "Own" });
      expect((await inviteInto(api, owner, own.body.id, "friend@office.example")).code).toBe(
        "administrators_invite",
      );
      await api.execute(
        `delete from workspace_members where workspace_id = ${shared} and user_id = ${partner.id}`,
      );
      expect((await accept(api, guest.token)).code).toBe("invalid_token");
      expect(await signIn(api, { email: "guest@office.example", email_verified: true })).toBe(
        "/auth?error=invitation_required",
      );
    });

    test("nobody by what was made while another mode allowed it", async () => {
      const [viewer] = await api.select("select id from users where email = 'viewer@office.example'");
      const [own] = await api.select(`select id from workspaces where user_id = ${viewer?.id} limit 1`);
      const tokens = [
        await storeInvitation(api, "late@elsewhere.example", {
          ...{ workspace_id: Number(own?.id), role: "'owner'", invited_by: Number(viewer?.id) },
        }),
        await storeInvitation(api, "asked@office.example", { is_requested: 1 }),
      ];
      for (const token of tokens) {
        expect((await api.anonymous().post("/api/invitations/read", { token })).status).toBe(400);
        expect((await accept(api, token)).code).toBe("invalid_token");
      }
      for (const email of ["late@elsewhere.example", "asked@office.example"])
        expect(await signIn(api, { email, email_verified: true })).toBe("/auth?error=invitation_required");
    });

    test("every account, its way and who invited it, and invitations of people without one are in the audit log", async () => {
      expect(await waysOf(boss)).toEqual([
        ["owner@office.example", "workspace_invitation"],
        ["partner@office.example", "invitation"],
        ["viewer@office.example", "workspace_invitation"],
        [boss.email, "registration"],
      ]);
      const entries = (await boss.get("/api/administration/audit")).body;
      expect(entries).toContainEqual(
        expect.objectContaining({
          action: "account_created",
          actor: "owner@office.example",
          detail: expect.objectContaining({ invitedBy: "partner@office.example" }),
        }),
      );
      const sent = entries.filter(({ action }: { action: string }) => action === "invitation_sent");
      expect(sent.map(({ actor, subject }: Record<string, string>) => [actor, subject])).toEqual([
        ["owner@office.example", "guest@office.example"],
        ["partner@office.example", "owner@office.example"],
        [boss.email, "partner@office.example"],
        [boss.email, "viewer@office.example"],
      ]);
    });
  },
);

describeApi(
  "who may invite people without an account, with SIGN_UP=administrators:",
  { variables: { SIGN_UP: "administrators" } },
  (api) => {
    test("administrators only, also by what was sent before and to their own workspaces", async () => {
      const boss = await api.signUp();
      const instance = { signUp: "administrators", signUpChosen: true, administrators: 1 };
      expect((await boss.get("/api/administration")).body).toMatchObject(instance);
      const partner = await invitedBy(api, boss, "partner@office.example");
      const own = await ownWorkspace(partner);
      expect((await inviteInto(api, partner, own, "guest@office.example")).code).toBe(
        "administrators_invite",
      );
      expect((await inviteInto(api, partner, own, boss.email)).status).toBe(201);
      const earlier = { workspace_id: own, role: "'viewer'", invited_by: partner.id };
      const token = await storeInvitation(api, "guest@office.example", earlier);
      expect((await accept(api, token)).code).toBe("invalid_token");
      const byBoss = await inviteInto(api, boss, boss.workspaceId, "colleague@office.example");
      await api.execute(`update users set is_administrator = 0 where id = ${boss.id}`);
      expect((await accept(api, byBoss.token)).code).toBe("invalid_token");
      await api.execute(`update users set is_administrator = 1 where id = ${boss.id}`);
      expect((await accept(api, byBoss.token)).status).toBe(201);
    });
  },
);

describeApi(
  "with SIGN_UP=domains,",
  {
    variables: {
      ...{ SIGN_UP: "domains", SIGN_UP_DOMAINS: "@Acme.example, bücher.example" },
      ...{ SIGN_UP_WORKSPACE: "1", SIGN_UP_ROLE: "member" },
    },
    signInProviders: [provider.settings("google")],
  },
  (api) => {
    let boss: SignedUp;
    const request = async (email: string) =>
      (await api.anonymous().post("/api/invitations/request", { email, language: "de" })).body?.code;
    const linkOf = async (email: string) => (await mailedTokens(api, "invite", email)).at(-1) ?? "";
    const rolesOf = async (email: string) =>
      (
        await api.select(
          `select role from workspace_members join users on id = user_id where email = '${email}' and workspace_id = 1`,
        )
      ).map(({ role }) => role);
    beforeAll(async () => {
      boss = await api.signUp();
      expect(boss.workspaceId).toBe(1);
    });

    test("an address of a domain comes by the link that is mailed to it, into the workspace, and by nothing else", async () => {
      expect((await register(api, "ada@acme.example")).body.code).toBe("invitation_required");
      expect(await request(" Ada+docs@ACME.example ")).toBeUndefined();
      await api.finishBackgroundWork();
      const [mail] = (await api.mails()).filter(({ to }) => to === "ada+docs@acme.example");
      expect(mail?.subject).toMatch(/eingeladen/);
      const ada = await accept(api, await linkOf("ada+docs@acme.example"));
      expect(ada.status).toBe(201);
      expect(await rolesOf("ada+docs@acme.example")).toEqual(["member"]);
      expect((await ada.get("/api/user")).body.lastWorkspaceId).toBe(1);
      expect((await inviteInto(api, ada, await ownWorkspace(ada), "x@acme.example")).code).toBe(
        "administrators_invite",
      );
      const activity = (await boss.get("/api/workspaces/1/activity")).body;
      expect(activity[0]).toMatchObject({
        type: "member.joined",
        target: { email: "ada+docs@acme.example" },
      });
    });

    test("an international domain is the same in both spellings", async () => {
      for (const email of ["a@bücher.example", "b@xn--bcher-kva.example"])
        expect([email, await request(email)]).toEqual([email, undefined]);
    });

    test("no other domain does, whatever it looks like", async () => {
      const domains = ["sub.acme.example", "notacme.example", "acme.example.evil.example", "аcme.example"];
      for (const domain of domains)
        expect([domain, await request(`ada@${domain}`)]).toEqual([domain, "invitation_required"]);
      expect(await request("ada@acme.example@evil.example")).toBe("validation");
      expect((await api.anonymous().post("/api/invitations/request", {})).status).toBe(400);
    });

    test("a provider's account counts by its verified address", async () => {
      const refused = "/auth?error=invitation_required";
      expect(await signIn(api, { email: "bea@acme.example", email_verified: false })).toBe(refused);
      expect(await signIn(api, { email: "bea@sub.acme.example", email_verified: true })).toBe(refused);
      expect(await counted(api, "users where email like 'bea@%'")).toBe(0);
      expect(await signIn(api, { email: "bea@acme.example", email_verified: true })).toBe("/");
      expect(await rolesOf("bea@acme.example")).toEqual(["member"]);
      expect((await waysOf(boss))[0]).toEqual(["bea@acme.example", "domain"]);
    });

    test("everybody else needs an invitation, which nobody can replace by asking for a link", async () => {
      const path = "/api/administration/invitations";
      expect((await boss.post(path, { email: "cleo@acme.example" })).status).toBe(201);
      const token = await linkOf("cleo@acme.example");
      expect(await request("cleo@acme.example")).toBeUndefined();
      await api.finishBackgroundWork();
      expect(await mailedTokens(api, "invite", "cleo@acme.example")).toHaveLength(1);
      expect((await accept(api, token)).status).toBe(201);
      expect((await waysOf(boss))[0]).toEqual(["cleo@acme.example", "invitation"]);
      expect((await invitedBy(api, boss, "dora@elsewhere.example")).status).toBe(201);
      expect(await rolesOf("dora@elsewhere.example")).toEqual([]);
    });

    test("who has an account already gets a link to choose a password, and the latest link of several works", async () => {
      expect(await request("bea@acme.example")).toBeUndefined();
      expect(await mailedTokens(api, "reset", "bea@acme.example")).toHaveLength(1);
      await request("eve@acme.example");
      const first = await linkOf("eve@acme.example");
      await request("eve@acme.example");
      expect((await accept(api, first)).code).toBe("invalid_token");
      expect((await accept(api, await linkOf("eve@acme.example"))).status).toBe(201);
    });

    test("an account that changes its address to one of the domain joins nothing", async () => {
      const dora = api.anonymous();
      await dora.post("/api/login", { email: "dora@elsewhere.example", password: PASSWORD });
      expect((await dora.patch("/api/user/profile", { email: "dora@acme.example" })).status).toBe(200);
      const [token] = await mailedTokens(api, "verify", "dora@acme.example");
      expect((await dora.post("/api/user/verify", { token })).status).toBe(204);
      expect(await rolesOf("dora@acme.example")).toEqual([]);
    });

    test("who was removed from the workspace does not return by another account, but by an invitation", async () => {
      const [gone] = await api.select("select id from users where email = 'bea@acme.example'");
      expect((await boss.delete(`/api/workspaces/1/members/${gone?.id}`)).status).toBe(204);
      await request("bea+again@acme.example");
      expect((await accept(api, await linkOf("bea+again@acme.example"))).status).toBe(201);
      expect(await rolesOf("bea+again@acme.example")).toEqual([]);
      await request("beatrice@acme.example");
      expect((await accept(api, await linkOf("beatrice@acme.example"))).status).toBe(201);
      expect(await rolesOf("beatrice@acme.example")).toEqual(["member"]);
      const invited = { email: "bea+again@acme.example", role: "member" };
      expect((await boss.post("/api/workspaces/1/invitations", invited)).status).toBe(201);
      const person = api.anonymous();
      await person.post("/api/login", { email: invited.email, password: PASSWORD });
      const token = await linkOf(invited.email);
      expect((await person.post("/api/invitations/join", { token })).status).toBe(200);
    });

    const come = async (email: string) => {
      expect(await request(email)).toBeUndefined();
      const person = await accept(api, await linkOf(email));
      expect(person.status).toBe(201);
      return person;
    };

    test("who came by the link of the domain does not return by an earlier invitation after a removal", async () => {
      const email = "kim@acme.example";
      const invited = { email: "kim+work@acme.example", role: "owner" };
      for (const body of [{ ...invited, email }, invited])
        expect((await boss.post("/api/workspaces/1/invitations", body)).status).toBe(201);
      const tokens = [await linkOf(email), await linkOf(invited.email)];
      const kim = await come(email);
      const { id } = (await kim.get("/api/user")).body;
      expect((await boss.delete(`/api/workspaces/1/members/${id}`)).status).toBe(204);
      expect((await kim.post("/api/invitations/join", { token: tokens[0] })).body.code).toBe("invalid_token");
      expect((await accept(api, tokens[1] ?? "")).code).toBe("invalid_token");
    });

    test("who was made a viewer, or whose account was disabled, comes to no other role by another account", async () => {
      await come("gil@acme.example");
      await come("hal@acme.example");
      const idOf = async (email: string) =>
        (await api.select(`select id from users where email = '${email}'`))[0]?.id;
      const gil = `/api/workspaces/1/members/${await idOf("gil@acme.example")}`;
      expect((await boss.patch(gil, { role: "viewer" })).status).toBe(200);
      await api.execute("update users set is_administrator = 1 where id = 1");
      const hal = `/api/administration/accounts/${await idOf("hal@acme.example")}`;
      expect((await boss.post(`${hal}/disable`)).status).toBe(200);
      for (const email of ["gil+2@acme.example", "hal+2@acme.example"]) {
        await come(email);
        expect([email, await rolesOf(email)]).toEqual([email, []]);
      }
    });

    test("who was removed after a change of the address does not return by the earlier one", async () => {
      const ivy = await come("ivy@acme.example");
      const { id } = (await ivy.get("/api/user")).body;
      expect((await ivy.patch("/api/user/profile", { email: "ivy@home.example" })).status).toBe(200);
      const [token] = await mailedTokens(api, "verify", "ivy@home.example");
      expect((await ivy.post("/api/user/verify", { token })).status).toBe(204);
      expect((await boss.delete(`/api/workspaces/1/members/${id}`)).status).toBe(204);
      await come("ivy@acme.example");
      expect(await rolesOf("ivy@acme.example")).toEqual([]);
    });

    test("a deleted workspace is joined by nobody, and the account is created", async () => {
      await api.execute("update workspaces set deleted_at = '2026-03-14T09:26:53.000Z' where id = 1");
      await request("finn@acme.example");
      expect((await accept(api, await linkOf("finn@acme.example"))).status).toBe(201);
      expect(await rolesOf("finn@acme.example")).toEqual([]);
    });
  },
);

test("SIGN_UP=domains needs domains, and its workspace has no further owners", () => {
  expect(() => readVariables({ SIGN_UP: "domains" })).toThrow("SIGN_UP_DOMAINS must be set too");
  const owners = { SIGN_UP: "domains", SIGN_UP_DOMAINS: "acme.example", SIGN_UP_ROLE: "owner" };
  expect(() => readVariables(owners)).toThrow("must be “member” or “viewer”");
});

describeApi(
  "SIGN_UP=off with a provider",
  { variables: { SIGN_UP: "off" }, signInProviders: [provider.settings("google")] },
  (api) => {
    test("creates the first account at a sign-in with a provider", async () => {
      const account = { email: "ada@example.com", email_verified: true };
      expect(await signIn(api, account)).toBe("/");
      expect(await signIn(api, { ...account, email: "bea@example.com" })).toBe("/auth?error=sign_up_closed");
    });
  },
);

const PUBLIC_URL = "https://papers.example";
/** The secret that database and file store share. */
const SECRET = "the instance's id";
const requireSetup = [403, "setup_required"];

/** Anybody reaches it at its public address, or on its network. */
const PUBLIC_SERVERS = [
  { SIGN_UP: "open", publicUrl: PUBLIC_URL, HOST: "127.0.0.1" },
  { SIGN_UP: "invite", publicUrl: PUBLIC_URL, HOST: "127.0.0.1" },
  { SIGN_UP: "off", publicUrl: PUBLIC_URL, HOST: "127.0.0.1" },
  { SIGN_UP: "open", publicUrl: undefined, HOST: "0.0.0.0" },
];

for (const { publicUrl, ...variables } of PUBLIC_SERVERS) {
  const { SIGN_UP } = variables;
  describeApi(
    `a server at ${publicUrl ?? variables.HOST} with SIGN_UP=${SIGN_UP}, before its first account,`,
    {
      publicUrl,
      variables,
      signInProviders: [provider.settings("google")],
    },
    (api) => {
      const registerWith = (email: string, setupToken?: string | null) =>
        api.anonymous().post("/api/register", { email, password: PASSWORD, setupToken });
      const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

      test("creates no account for a stranger, by password or by provider", async () => {
        await api.execute("delete from instance");
        await api.execute(`insert into instance (row, id) values (1, '${SECRET.replace("'", "''")}')`);
        expect((await api.anonymous().get("/api/session")).body).toEqual({
          signedIn: false,
          signUp: "setup",
          noAccount: true,
        });
        for (const token of [undefined, null, "", "guessed", SECRET])
          expect(codeOf(await registerWith("eve@example.com", token))).toEqual(requireSetup);
        const stranger = { email: "eve@example.com", email_verified: true };
        expect(await signIn(api, stranger)).toBe("/auth?error=setup_required");
        expect(await counted(api, "users")).toBe(0);
        expect(await counted(api, "identities")).toBe(0);
      });

      test("creates one account by the setup link, the administrator's, of several at once", async () => {
        const link = await sha256Text(`setup ${SECRET}`);
        const responses = await Promise.all(
          ["ada", "bea", "cleo"].map((name) => registerWith(`${name}@example.com`, link)),
        );
        // Where sign-up is open, those that come after the first account create ordinary ones.
        const created = responses.filter(({ status }) => status === 201).length;
        expect(responses.filter(({ status }) => status === 403)).toHaveLength(3 - created);
        expect(created).toBeGreaterThanOrEqual(1);
        if (SIGN_UP !== "open") expect(created).toBe(1);
        expect(await counted(api, "users")).toBe(created);
        expect(await counted(api, "users where is_administrator = 1")).toBe(1);
        const session = await api.anonymous().get("/api/session");
        expect(session.body).toEqual({ signedIn: false, ...(SIGN_UP !== "open" && { signUp: SIGN_UP }) });
        const next = await registerWith("dora@example.com", link);
        expect(next.status).toBe(SIGN_UP === "open" ? 201 : 403);
        expect(next.body.isAdministrator ?? false).toBe(false);
      });

      test("needs the link again once no account is left", async () => {
        await api.execute("delete from users");
        expect(codeOf(await registerWith("eve@example.com"))).toEqual(requireSetup);
      });
    },
  );
}

test("the setup link is needed where others reach the server, if its first account would be the administrator or uninvited", () => {
  const isNeeded = (variables: Record<string, string>) =>
    appConfig(readVariables(variables)).protectsFirstAccount;
  expect(isNeeded({})).toBe(false);
  for (const host of ["localhost:3000", "127.0.0.1:8080", "[::1]:3000", "docs.localhost"])
    expect([host, isNeeded({ PUBLIC_URL: `http://${host}` })]).toEqual([host, false]);
  for (const host of ["docs.example.com", "localhost.example.com", "192.168.0.7", "127.0.0.1.example.com"])
    expect([host, isNeeded({ PUBLIC_URL: `http://${host}` })]).toEqual([host, true]);
  for (const HOST of ["localhost", "127.0.0.2", "::1"])
    expect([HOST, isNeeded({ HOST })]).toEqual([HOST, false]);
  for (const HOST of ["0.0.0.0", "::", "192.168.0.7", "papers.example"])
    expect([HOST, isNeeded({ HOST })]).toEqual([HOST, true]);
  expect(isNeeded({ HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" })).toBe(true);
  const listed = { PUBLIC_URL, ADMIN_EMAILS: "ada@example.com" };
  expect([isNeeded(listed), isNeeded({ ...listed, SIGN_UP: "invite" })]).toEqual([false, true]);
});

async function sha256Text(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}
