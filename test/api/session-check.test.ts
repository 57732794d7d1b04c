import { expect, test } from "bun:test";
import { describeApi } from "../support/api";

describeApi("the session check", (api) => {
  test("answers visitors, signed-in users and ended sessions without an error", async () => {
    const asked = async (client: ReturnType<typeof api.anonymous>) => (await client.get("/api/session")).body;
    expect(await asked(api.anonymous())).toEqual({ signedIn: false });
    const owner = await api.signUp();
    expect(await asked(owner)).toEqual({ signedIn: true });
    const { cookie } = owner;
    await owner.post("/api/logout");
    expect(await asked(Object.assign(api.anonymous(), { cookie }))).toEqual({ signedIn: false });
  });
});
