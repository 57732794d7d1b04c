import { expect, test } from "bun:test";
import { appConfig, readVariables } from "../../worker/config";
import { type Api, type Client, describeApi } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";

const administers = async (client: Client) => (await client.get("/api/user")).body.isAdministrator;

async function register(api: Api, email: string): Promise<Client> {
  const client = api.anonymous();
  expect((await client.post("/api/register", { email, password: "secret" })).status).toBe(201);
  return client;
}

async function verify(api: Api, email: string, client: Client): Promise<void> {
  const token = (await mailedTokens(api, "verify", email)).at(-1);
  expect((await client.post("/api/user/verify", { token })).status).toBe(204);
}

describeApi("the administrator without ADMIN_EMAILS", (api) => {
  test("is the first account, whatever its address", async () => {
    const first = await register(api, "first@example.com");
    const second = await register(api, "second@example.com");
    expect(await administers(first)).toBe(true);
    expect(await administers(second)).toBe(false);
    await first.patch("/api/user/profile", { email: "renamed@example.com" });
    expect(await administers(first)).toBe(true);
  });

  test("is nobody after that account is deleted, until another first account is created", async () => {
    const [first, second] = await Promise.all(
      ["renamed@example.com", "second@example.com"].map(async (email) => {
        const client = api.anonymous();
        await client.post("/api/login", { email, password: "secret" });
        return client;
      }),
    );
    await first?.delete("/api/user/account");
    expect(second && (await administers(second))).toBe(false);
    expect(await administers(await register(api, "third@example.com"))).toBe(false);
    await api.execute("delete from users");
    expect(await administers(await register(api, "fourth@example.com"))).toBe(true);
    expect(await administers(await register(api, "fifth@example.com"))).toBe(false);
  });

  test("is also an account with the role, whichever it is", async () => {
    const client = api.anonymous();
    await client.post("/api/login", { email: "fifth@example.com", password: "secret" });
    expect(await administers(client)).toBe(false);
    await api.execute("update users set is_administrator = 1 where email = 'fifth@example.com'");
    expect(await administers(client)).toBe(true);
  });
});

describeApi(
  "the administrators of ADMIN_EMAILS",
  { variables: { ADMIN_EMAILS: " Ada@example.com, bea@example.com, cleo@example.com" } },
  (api) => {
    test("are accounts with a verified address from the list, and not the first account", async () => {
      const first = await register(api, "first@example.com");
      const ada = await register(api, "Ada@Example.com");
      expect([await administers(first), await administers(ada)]).toEqual([false, false]);
      await verify(api, "ada@example.com", ada);
      expect([await administers(first), await administers(ada)]).toEqual([false, true]);
    });

    test("are not accounts with an unverified address", async () => {
      const mallory = await register(api, "mallory@example.com");
      await verify(api, "mallory@example.com", mallory);
      await mallory.patch("/api/user/profile", { email: "bea@example.com" });
      expect(await administers(mallory)).toBe(false);
      await verify(api, "bea@example.com", mallory);
      expect(await administers(mallory)).toBe(true);
    });

    test("are not accounts whose address was only verified, before it was listed: a stranger may have made them", async () => {
      const mallory = await register(api, "eve@example.com");
      await verify(api, "eve@example.com", api.anonymous());
      await api.execute("update users set email = 'cleo@example.com' where email = 'eve@example.com'");
      expect(await administers(mallory)).toBe(false);
      expect((await mallory.get("/api/administration/accounts")).status).toBe(403);
    });

    test("lose the role immediately with the address", async () => {
      const bea = api.anonymous();
      await bea.post("/api/login", { email: "bea@example.com", password: "secret" });
      await bea.patch("/api/user/profile", { email: "elsewhere@example.com" });
      expect(await administers(bea)).toBe(false);
    });
  },
);

describeApi(
  "the only administrator of ADMIN_EMAILS",
  { variables: { ADMIN_EMAILS: "ada@example.com" } },
  (api) => {
    test("cannot give up the listed address by mistake, but can delete the account", async () => {
      const ada = await register(api, "ada@example.com");
      await verify(api, "ada@example.com", ada);
      const rejected = await ada.patch("/api/user/profile", { email: "elsewhere@example.com" });
      expect([rejected.status, rejected.body.code]).toEqual([409, "last_administrator"]);
      expect(await administers(ada)).toBe(true);
      expect((await ada.delete("/api/user/account")).status).toBe(204);
    });
  },
);

test("an invalid ADMIN_EMAILS or SIGN_UP stops the start with a message", () => {
  expect(() => readVariables({ ADMIN_EMAILS: "ada@example.com; bea" })).toThrow(
    'ADMIN_EMAILS is "ada@example.com; bea", but must be comma-separated addresses',
  );
  expect(() => readVariables({ SIGN_UP: "closed" })).toThrow(
    'SIGN_UP is "closed", but must be “open”, “domains”, “invite”, “administrators” or “off”',
  );
  expect(appConfig(readVariables({}))).toMatchObject({ signUp: "open", adminEmails: [] });
});
