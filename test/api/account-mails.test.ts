import { expect, test } from "bun:test";
import { DAY_MS } from "../../worker/lib/durations";
import { describeApi } from "../support/api/client";
import { sendEnvelope } from "../support/api/envelopes";
import { TEST_START } from "../support/runtime/runtime";

const day = (count: number) => new Date(Date.parse(TEST_START) + count * DAY_MS).toISOString();

describeApi("the record of mails", (api) => {
  test("contains mails about the account for a week, and mails about an envelope until it is deleted", async () => {
    const alice = await api.signUp();
    await sendEnvelope(alice);
    await api.anonymous().post("/api/password/forgot", { email: alice.email });
    await alice.post("/api/support/messages", { message: "Help" });
    await api.finishBackgroundWork();
    const kinds = async () =>
      (await api.select(`select kind from notifications where user_id = ${alice.id} order by id`)).map(
        ({ kind }) => kind,
      );
    const all = ["verification", "invitation", "password_reset", "support"];
    await api.setClock(day(6.9));
    await api.runJobs();
    expect(await kinds()).toEqual(all);
    await api.setClock(day(7.1));
    await api.runJobs();
    expect(await kinds()).toEqual(["invitation"]);
    await api.setClock(TEST_START);
  });
});
