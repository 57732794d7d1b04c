import { describe, expect, test } from "bun:test";
import { endOfDay } from "../../worker/lib/zoned-days";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";

async function signUpIn(api: Api, timeZone: string): Promise<SignedUp> {
  const owner = await api.signUp();
  expect((await owner.patch("/api/user/profile", { timeZone })).body.timeZone).toBe(timeZone);
  return owner;
}

/** The status of the link just before and just after its last moment, on both sides. */
async function endOf(api: Api, owner: SignedUp, envelope: { id: number; submissionToken: string }) {
  const seen: unknown[] = [];
  const { expiresAt } = (await owner.get(`/api/requests/${envelope.id}`)).body;
  for (const time of [Date.parse(expiresAt), Date.parse(expiresAt) + 1]) {
    await api.setClock(new Date(time).toISOString());
    const own = await owner.get(`/api/requests/${envelope.id}`);
    seen.push([(await api.anonymous().get(linkOf(envelope))).status, own.body.status]);
  }
  return { expiresAt, seen };
}

describe("the last moment of a day", () => {
  test.each<[string, string | null, string]>([
    ["2026-11-30", null, "2026-11-30T23:59:59.999Z"],
    ["2026-11-30", "America/Los_Angeles", "2026-12-01T07:59:59.999Z"],
    ["2026-11-30", "Pacific/Kiritimati", "2026-11-30T09:59:59.999Z"],
    ["2026-11-30", "Asia/Kolkata", "2026-11-30T18:29:59.999Z"],
    // Clocks change during the day.
    ["2026-03-29", "Europe/Berlin", "2026-03-29T21:59:59.999Z"],
    ["2026-10-25", "Europe/Berlin", "2026-10-25T22:59:59.999Z"],
    // The next day begins at one o'clock.
    ["2026-09-05", "America/Santiago", "2026-09-06T03:59:59.999Z"],
    // The last hour of the day comes twice.
    ["2026-04-04", "America/Santiago", "2026-04-05T03:59:59.999Z"],
    // Midnight comes twice on the next day.
    ["2026-10-31", "America/Havana", "2026-11-01T03:59:59.999Z"],
    ["9999-12-30", "America/Los_Angeles", "9999-12-31T07:59:59.999Z"],
    ["9999-12-31", "America/Los_Angeles", "9999-12-31T23:59:59.999Z"],
    // A zone that this runtime does not know.
    ["2026-11-30", "Mars/Olympus_Mons", "2026-11-30T23:59:59.999Z"],
  ])("%s in %s is %s", (day, timeZone, expected) => {
    expect(endOfDay(day, timeZone)).toBe(expected);
  });
});

describeApi("time zones", (api) => {
  test("an account has none at first, accepts IANA names, and null or blank clear it", async () => {
    const alice = await api.signUp();
    expect((await alice.get("/api/user")).body.timeZone).toBeNull();
    const set = async (timeZone: unknown) => {
      const { status, body } = await alice.patch("/api/user/profile", { timeZone });
      return [status, body.timeZone ?? body.issues?.[0]?.message];
    };
    expect(await set("Europe/Berlin")).toEqual([200, "Europe/Berlin"]);
    expect((await alice.get("/api/user")).body.timeZone).toBe("Europe/Berlin");
    expect(await set(" america/los_angeles ")).toEqual([200, "America/Los_Angeles"]);
    for (const alias of ["Asia/Kolkata", "Asia/Calcutta", "UTC", "America/Argentina/Ushuaia"])
      expect(await set(alias)).toEqual([200, alias]);
    await alice.patch("/api/user/profile", { firstName: "Ada" });
    expect((await alice.get("/api/user")).body.timeZone).toBe("America/Argentina/Ushuaia");
    const wrong = ["Mars/Olympus_Mons", "+01:00", "Berlin", "../etc", "x".repeat(65), "Europe/Berlin\0"];
    for (const name of wrong) expect(await set(name)).toEqual([400, "Unknown time zone"]);
    expect((await alice.patch("/api/user/profile", { timeZone: 1 })).status).toBe(400);
    expect(await set("")).toEqual([200, undefined]);
    await set("Asia/Tokyo");
    expect(await set(null)).toEqual([200, undefined]);
    expect((await alice.get("/api/user")).body.timeZone).toBeNull();
  });

  test.each([
    ["America/Los_Angeles", "2026-12-01T07:59:59.999Z"],
    ["Pacific/Kiritimati", "2026-11-30T09:59:59.999Z"],
  ])("a link in %s works until the day ends there", async (timeZone, end) => {
    await api.setClock("2026-11-20T12:00:00.000Z");
    const owner = await signUpIn(api, timeZone);
    const envelope = await sendEnvelope(owner, { expirationDate: "2026-11-30" });
    const { expiresAt, seen } = await endOf(api, owner, envelope);
    expect(expiresAt).toBe(end);
    expect(seen).toEqual([
      [200, "pending"],
      [410, "expired"],
    ]);
    const rejected = await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    expect([rejected.status, rejected.body.params.date]).toEqual([410, "2026-11-30"]);
  });

  test("the recipient sees the zone and the last moment, and can submit until then", async () => {
    await api.setClock("2026-11-20T12:00:00.000Z");
    const owner = await signUpIn(api, "America/Los_Angeles");
    const envelope = await sendEnvelope(owner, { expirationDate: "2026-11-30" });
    await api.runJobs("2026-12-01T07:59:00.000Z");
    expect((await api.anonymous().get(linkOf(envelope))).body).toMatchObject({
      expirationDate: "2026-11-30",
      expiresAt: "2026-12-01T07:59:59.999Z",
      timeZone: "America/Los_Angeles",
    });
    expect((await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }))).status).toBe(201);
  });

  test("the job expires an envelope when the day ends in its zone, and notifies once", async () => {
    await api.setClock("2026-11-20T12:00:00.000Z");
    const [west, east] = [await signUpIn(api, "America/Los_Angeles"), await signUpIn(api, "Asia/Tokyo")];
    const [late, early] = [
      await sendEnvelope(west, { expirationDate: "2026-11-30" }),
      await sendEnvelope(east, { expirationDate: "2026-11-30" }),
    ];
    const statusAt = async (time: string) => {
      await api.runJobs(time);
      const rows = await api.select(
        `select status from envelopes where id in (${late.id}, ${early.id}) order by id`,
      );
      return rows.map(({ status }) => status);
    };
    expect(await statusAt("2026-11-30T14:59:59.000Z")).toEqual(["pending", "pending"]);
    expect(await statusAt("2026-11-30T15:00:00.000Z")).toEqual(["pending", "expired"]);
    expect(await statusAt("2026-12-01T07:59:59.000Z")).toEqual(["pending", "expired"]);
    expect(await statusAt("2026-12-01T08:00:00.000Z")).toEqual(["expired", "expired"]);
    await api.runJobs();
    const notified = (await api.mails())
      .filter(({ subject }) => subject === "Expired: Papers")
      .map(({ to }) => to);
    for (const { email } of [west, east]) expect(notified.filter((to) => to === email)).toEqual([email]);
  });

  test("recipients are notified two days before, from nine in the morning in the zone", async () => {
    await api.setClock("2027-11-20T12:00:00.000Z");
    const owner = await signUpIn(api, "America/Los_Angeles");
    const envelope = await sendEnvelope(owner, { expirationDate: "2027-11-30" });
    const notices = async (time: string) => {
      await api.runJobs(time);
      await api.runJobs();
      return (await api.mails()).filter(
        ({ subject, text }) =>
          subject.startsWith("The link works until") && text.includes(envelope.submissionToken),
      );
    };
    expect(await notices("2027-11-28T16:59:00.000Z")).toEqual([]);
    const [notice] = await notices("2027-11-28T17:00:00.000Z");
    expect(notice?.text).toContain("30 November 2027, end of day (Pacific Time)");
    expect(notice?.html).toContain("30 November 2027, end of day (Pacific Time)");
  });

  test("a date is rejected once it is over in the requestor's zone", async () => {
    await api.setClock("2026-11-30T12:00:00.000Z");
    const create = async (timeZone: string, expirationDate: string) => {
      const owner = await signUpIn(api, timeZone);
      const { status, body } = await owner.post("/api/requests", { ...ENVELOPE, expirationDate });
      return [status, body.issues?.[0]?.message ?? body.expiresAt];
    };
    const past = [400, "The date cannot be in the past"];
    expect(await create("Pacific/Kiritimati", "2026-11-30")).toEqual(past);
    expect(await create("Pacific/Kiritimati", "2026-12-01")).toEqual([201, "2026-12-01T09:59:59.999Z"]);
    expect(await create("Pacific/Pago_Pago", "2026-11-29")).toEqual(past);
    expect(await create("Pacific/Pago_Pago", "2026-11-30")).toEqual([201, "2026-12-01T10:59:59.999Z"]);
  });

  test("a change of the account's zone leaves a link's last moment until it is saved with a date again", async () => {
    await api.setClock("2026-11-20T12:00:00.000Z");
    const owner = await signUpIn(api, "Asia/Tokyo");
    const envelope = await sendEnvelope(owner, { expirationDate: "2026-11-30" });
    expect(envelope).toMatchObject({ timeZone: "Asia/Tokyo", expiresAt: "2026-11-30T14:59:59.999Z" });
    await owner.patch("/api/user/profile", { timeZone: "America/Los_Angeles" });
    const path = `/api/requests/${envelope.id}`;
    const { body: stored } = await owner.get(path);
    expect(stored).toMatchObject({ timeZone: "Asia/Tokyo", expiresAt: "2026-11-30T14:59:59.999Z" });
    const { body: saved } = await owner.put(path, stored);
    expect(saved).toMatchObject({
      timeZone: "America/Los_Angeles",
      expirationDate: "2026-11-30",
      expiresAt: "2026-12-01T07:59:59.999Z",
    });
  });

  test("a returned document keeps the last moment too, unless a new date is chosen", async () => {
    await api.setClock("2026-11-20T12:00:00.000Z");
    const owner = await signUpIn(api, "Asia/Tokyo");
    const envelope = await sendEnvelope(owner, { expirationDate: "2026-11-30" });
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    await owner.patch("/api/user/profile", { timeZone: "America/Los_Angeles" });
    const [document] = envelope.documents;
    const review = (changes: object) => owner.post(`/api/requests/${envelope.id}/review`, changes);
    const returned = { return: [{ documentId: document.id, reason: "Unreadable" }] };
    expect((await review(returned)).body.expiresAt).toBe("2026-11-30T14:59:59.999Z");
    await review({ undo: [document.id] });
    await api.setClock("2026-12-01T00:00:00.000Z");
    expect((await review(returned)).body.code).toBe("expired_needs_date");
    const past = await review({ ...returned, expirationDate: "2026-11-29" });
    expect(past.body.issues[0].message).toBe("The date cannot be in the past");
    // Still the 30th in California.
    const extended = await review({ ...returned, expirationDate: "2026-11-30" });
    expect(extended.body).toMatchObject({
      status: "pending",
      timeZone: "America/Los_Angeles",
      expiresAt: "2026-12-01T07:59:59.999Z",
    });
  });

  test("a row from before time zones ends with its day in UTC", async () => {
    await api.setClock("2026-11-20T12:00:00.000Z");
    const owner = await signUpIn(api, "America/Los_Angeles");
    const envelope = await sendEnvelope(owner, { expirationDate: "2026-11-30" });
    await api.execute(
      `update envelopes set time_zone = null, end_of_last_day = null where id = ${envelope.id}`,
    );
    const { expiresAt, seen } = await endOf(api, owner, envelope);
    expect(expiresAt).toBe("2026-11-30T23:59:59.999Z");
    expect(seen).toEqual([
      [200, "pending"],
      [410, "expired"],
    ]);
    await api.runJobs();
    expect(await api.select(`select status from envelopes where id = ${envelope.id}`)).toEqual([
      { status: "expired" },
    ]);
  });

  test("mails name the day and the zone in the requestor's language", async () => {
    await api.setClock("2026-11-20T12:00:00.000Z");
    const owner = await signUpIn(api, "Europe/Berlin");
    await owner.patch("/api/user/profile", { languagePreference: "de" });
    await sendEnvelope(owner, { expirationDate: "2026-11-30" });
    await api.finishBackgroundWork();
    expect((await api.mails()).at(-1)?.text).toContain(
      "30. November 2026, Ende des Tages (Mitteleuropäische Zeit)",
    );
  });
});
