import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";

describeApi("the session check", (api) => {
  test("answers visitors, signed-in users and ended sessions without an error", async () => {
    const checkSession = async (client: ReturnType<typeof api.anonymous>) =>
      (await client.get("/api/session")).body;
    expect(await checkSession(api.anonymous())).toEqual({ signedIn: false, noAccount: true });
    const owner = await api.signUp();
    expect(await checkSession(owner)).toEqual({ signedIn: true });
    const { cookie } = owner;
    await owner.post("/api/logout");
    expect(await checkSession(Object.assign(api.anonymous(), { cookie }))).toEqual({ signedIn: false });
  });
});
