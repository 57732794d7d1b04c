import { expect, test } from "bun:test";
import { type Api, describeApi } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";

/** The notices about the envelope sent so far, as `kind recipient`. */
async function notices(api: Api, { id }: { id: number }): Promise<string[]> {
  await api.finishBackgroundWork();
  const rows = await api.select(
    `select kind || ' ' || recipient as notice from notifications where kind in ('expiring', 'expired') and status = 'sent' and envelope_id = ${id} order by id`,
  );
  return rows.map(({ notice }) => String(notice));
}

/** Runs the jobs twice: the second run sends what the first one queued. */
async function runAt(api: Api, time: string): Promise<void> {
  await api.runJobs(time);
  await api.runJobs();
}

describeApi("expiry notices", (api) => {
  test("the recipient is notified once, two days before; the requestor once, after the day ends", async () => {
    await api.setClock("2026-03-14T09:00:00.000Z");
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { expirationDate: "2026-03-31" });
    await runAt(api, "2026-03-29T08:59:00.000Z");
    expect(await notices(api, envelope)).toEqual([]);
    await runAt(api, "2026-03-29T09:00:00.000Z");
    await runAt(api, "2026-03-31T23:59:59.000Z");
    expect(await notices(api, envelope)).toEqual(["expiring rita@example.com"]);
    await runAt(api, "2026-04-01T00:00:00.000Z");
    await runAt(api, "2026-04-02T00:00:00.000Z");
    const both = ["expiring rita@example.com", `expired ${owner.email}`];
    expect(await notices(api, envelope)).toEqual(both);
    const [expiring, expired] = (await api.mails()).slice(-2);
    expect(expiring?.subject).toBe("The link works until 31 March 2026: Papers");
    expect(expired?.subject).toBe("Expired: Papers");
    expect(expired?.text).toContain(`${api.origin}/?envelope=${envelope.id}`);

    await owner.put(`/api/requests/${envelope.id}`, { ...envelope, expirationDate: "2026-04-05" });
    await runAt(api, "2026-04-04T00:00:00.000Z");
    await runAt(api, "2026-04-06T00:00:00.000Z");
    expect(await notices(api, envelope)).toEqual([...both, ...both]);
  });

  test("no notice follows an invitation within a day, and none a submission", async () => {
    await api.setClock("2027-03-14T09:00:00.000Z");
    const owner = await api.signUp();
    const short = await sendEnvelope(owner, { expirationDate: "2027-03-15" });
    const answered = await sendEnvelope(owner, { expirationDate: "2027-03-20" });
    await runAt(api, "2027-03-14T12:00:00.000Z");
    expect(await notices(api, short)).toEqual([]);
    await api.anonymous().post(linkOf(answered), form({ Contract: pdfFile() }));
    await runAt(api, "2027-03-19T09:00:00.000Z");
    await runAt(api, "2027-03-21T09:00:00.000Z");
    expect(await notices(api, answered)).toEqual([]);
    expect(await notices(api, short)).toEqual([`expired ${owner.email}`]);
  });

  test("notices use the channels of the envelope", async () => {
    await api.setClock("2028-03-14T09:00:00.000Z");
    const owner = await api.signUp();
    const recipient = { recipientPhone: "+15551234567", expirationDate: "2028-03-20" };
    const sms = await sendEnvelope(owner, { ...recipient, notificationPreference: "sms" });
    const both = await sendEnvelope(owner, { ...recipient, notificationPreference: "both" });
    await runAt(api, "2028-03-19T09:00:00.000Z");
    expect(await notices(api, sms)).toEqual(["expiring +15551234567"]);
    expect((await notices(api, both)).sort()).toEqual(["expiring +15551234567", "expiring rita@example.com"]);
    const text = (await api.texts()).at(-1)?.text;
    expect(text).toContain("The link works until 20 March 2028");
  });

  test("after a clock jump of a month each notice is sent once", async () => {
    await api.setClock("2029-03-14T09:00:00.000Z");
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { expirationDate: "2029-03-31" });
    await runAt(api, "2029-04-14T09:00:00.000Z");
    await runAt(api, "2029-04-04T09:00:00.000Z");
    await runAt(api, "2029-04-15T09:00:00.000Z");
    expect(await notices(api, envelope)).toEqual([`expired ${owner.email}`]);
  });
});
