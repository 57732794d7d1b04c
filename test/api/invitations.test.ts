import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";
import { beginProviderSignIn, returnFrom } from "../support/api/provider-sign-in";
import { startIdentityProvider } from "../support/servers/identity-provider";

const provider = startIdentityProvider();
afterAll(() => provider.stop());

const ROOT = "/api/administration/invitations";
let guests = 0;
const newGuest = () => `guest${++guests}@example.org`;
const later = (days: number) =>
  new Date(Date.parse("2026-03-14T09:26:53Z") + days * 86_400_000).toISOString();

async function invite(api: Api, admin: SignedUp, email: string): Promise<string> {
  expect((await admin.post(ROOT, { email })).status).toBe(201);
  return (await mailedTokens(api, "invite", email.trim().toLowerCase())).at(-1) ?? "";
}

const accept = (api: Api, token: string, password = "secret") =>
  api.anonymous().post("/api/invitations/accept", { token, password });

describeApi(
  "invitations",
  { variables: { SIGN_UP: "invite" }, signInProviders: [provider.settings("google")] },
  (api) => {
    let admin: SignedUp;
    beforeAll(async () => {
      admin = await api.signUp();
    });

    test("create an account with the invited address, verified and signed in", async () => {
      const email = newGuest();
      const token = await invite(api, admin, ` ${email.toUpperCase()} `);
      const read = await api.anonymous().post("/api/invitations/read", { token });
      expect(read.body).toEqual({ email, expiresAt: later(7) });
      const client = api.anonymous();
      const input = { token, password: "secret", languagePreference: "ja" };
      const { status, body } = await client.post("/api/invitations/accept", input);
      expect([status, body.email, body.isVerified, body.isAdministrator]).toEqual([201, email, true, false]);
      expect(body.languagePreference).toBe("ja");
      expect((await client.get("/api/workspaces")).body).toHaveLength(1);
      expect((await api.anonymous().post("/api/login", { email, password: "secret" })).status).toBe(200);
    });

    test("are stored only as a hash after their mail was sent", async () => {
      const token = await invite(api, admin, newGuest());
      for (const table of ["invitations", "notifications", "audit_entries"])
        expect(JSON.stringify(await api.select(`select * from ${table}`))).not.toContain(token);
    });

    test("work once, even if used concurrently", async () => {
      const token = await invite(api, admin, newGuest());
      const responses = await Promise.all([accept(api, token), accept(api, token), accept(api, token)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
      expect((await accept(api, token)).body.code).toBe("invalid_token");
    });

    test("expire after seven days", async () => {
      const token = await invite(api, admin, newGuest());
      await api.setClock(later(7));
      expect((await api.anonymous().post("/api/invitations/read", { token })).status).toBe(400);
      expect((await accept(api, token)).status).toBe(400);
      await api.runJobs(later(8));
      expect(await api.select(`select * from invitations where created_at < '${later(1)}'`)).toEqual([]);
      await api.setClock(later(0));
    });

    test("are void when they are withdrawn or sent again", async () => {
      const email = newGuest();
      const first = await invite(api, admin, email);
      const second = await invite(api, admin, email);
      expect((await accept(api, first)).status).toBe(400);
      const open = (await admin.get(ROOT)).body.filter((row: { email: string }) => row.email === email);
      expect(open).toHaveLength(1);
      expect((await admin.delete(`${ROOT}/${open[0].id}`)).status).toBe(204);
      expect((await accept(api, second)).status).toBe(400);
      expect((await admin.delete(`${ROOT}/${open[0].id}`)).status).toBe(404);
    });

    test("are listed in pages, the latest first", async () => {
      const emails = [newGuest(), newGuest(), newGuest()].reverse();
      for (const email of emails.toReversed()) await invite(api, admin, email);
      const addresses = (body: { email: string }[]) => body.map(({ email }) => email);
      const first = await admin.get(`${ROOT}?limit=2`);
      expect(addresses(first.body)).toEqual(emails.slice(0, 2));
      const next = /<(.+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
      expect(addresses((await admin.get(next)).body)[0]).toBe(emails[2] as string);
      expect((await admin.get(ROOT)).headers.get("link")).toBeNull();
    });

    test("are rejected for the address of an account and for an invalid one", async () => {
      const taken = await admin.post(ROOT, { email: admin.email });
      expect([taken.status, taken.body.code]).toEqual([409, "email_taken"]);
      const invalid = await admin.post(ROOT, { email: "guest" });
      expect([invalid.status, invalid.body.message]).toEqual([400, "Invalid email address"]);
    });

    test("do not open sign-up for others", async () => {
      const email = newGuest();
      await invite(api, admin, email);
      const { status, body } = await api.anonymous().post("/api/register", { email, password: "secret" });
      expect([status, body.code]).toEqual([403, "invitation_required"]);
    });

    test("allow sign-in with a provider by its verified address", async () => {
      const email = newGuest();
      const token = await invite(api, admin, email);
      const signIn = async (verified: boolean) => {
        const client = api.anonymous();
        const url = await beginProviderSignIn(client, "google");
        return returnFrom(client, url, provider.agree(url, { sub: email, email, email_verified: verified }));
      };
      expect(await signIn(false)).toBe("/auth?error=invitation_required");
      expect(await signIn(true)).toBe("/");
      expect((await accept(api, token)).status).toBe(400);
    });
  },
);

describeApi("invitations with SIGN_UP=off", { variables: { SIGN_UP: "off" } }, (api) => {
  test("cannot be sent, and earlier ones do not work", async () => {
    const admin = await api.signUp();
    const rejected = await admin.post(ROOT, { email: newGuest() });
    expect([rejected.status, rejected.body.code]).toEqual([409, "invitations_off"]);
    for (const step of ["read", "accept"]) {
      const response = await api
        .anonymous()
        .post(`/api/invitations/${step}`, { token: "x", password: "secret" });
      expect([response.status, response.body.code]).toEqual([403, "sign_up_closed"]);
    }
  });
});
