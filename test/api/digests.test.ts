import { expect, test } from "bun:test";
import { LANGUAGES } from "../../worker/contract/options";
import { digestTime } from "../../worker/features/notifications/digests";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";

import { mailsTo } from "../support/api/mailed-links";
import { ask } from "../support/api/questions";
import { joinAs } from "../support/api/team";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

const after = (minutes: number) => new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString();

/** An envelope that its recipient has submitted. */
async function submitted(api: Api, owner: SignedUp, recipientName = "Rita Recipient", fields: object = {}) {
  const envelope = await sendEnvelope(owner, { recipientName, ...fields });
  expect((await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }))).status).toBe(201);
  return envelope;
}

async function chosen(api: Api, settings: object): Promise<SignedUp> {
  await api.setClock(TEST_START);
  const owner = await api.signUp();
  expect((await owner.patch("/api/user/profile", settings)).status).toBe(200);
  return owner;
}

describeApi("digests of submissions", (api) => {
  test("31 submissions in an hour are one mail, with clients, files, what is to review and links", async () => {
    const owner = await chosen(api, { submissionMails: "hourly" });
    const before = await mailsTo(api, owner.email, async () => {
      for (let at = 0; at < 31; at++) {
        await api.setClock(after(at));
        await submitted(api, owner, `Client ${at}`);
      }
      await api.runJobs(after(59));
    });
    expect(before).toEqual([]);
    const mails = await mailsTo(api, owner.email, async () => {
      await api.runJobs(after(61));
      await api.finishBackgroundWork();
      await api.runJobs(after(62), after(180));
    });
    expect(mails.map(({ subject }) => subject)).toEqual(["31 requests were answered"]);
    const [{ text, html } = { text: "", html: "" }] = mails;
    for (const words of ["Client 0 (1 to review)", "Client 30 (1 to review)", "To review: 31"])
      expect(text).toContain(words);
    expect([...text.matchAll(/\/\?envelope=(\d+)/g)]).toHaveLength(31);
    expect(text).toEndWith(`Change how often you get it: ${api.origin}/profile#preferences\n`);
    expect(html).toContain(`href="${api.origin}/profile#preferences"`);
    expect([...(html ?? "").matchAll(/href="[^"]*\/\?envelope=/g)]).toHaveLength(31);
    const left = `select count(*) as rows from notifications where user_id = ${owner.id} and status = 'queued'`;
    expect(await api.select(left)).toEqual([{ rows: 0 }]);
  }, 240_000);

  test("a daily one goes at the chosen hour in the account's zone", async () => {
    const owner = await chosen(api, {
      ...{ submissionMails: "daily", digestHour: 17, timeZone: "America/New_York" },
    });
    await submitted(api, owner);
    expect(await mailsTo(api, owner.email, () => api.runJobs("2026-03-14T20:59:00.000Z"))).toEqual([]);
    const mails = await mailsTo(api, owner.email, () =>
      api.runJobs("2026-03-14T21:00:00.000Z", "2026-03-14T21:01:00.000Z"),
    );
    expect(mails.map(({ subject }) => subject)).toEqual(["1 request was answered"]);
  });

  test.each(LANGUAGES)(
    "answers to questions are called neither files nor documents (%s)",
    async (language) => {
      const owner = await chosen(api, { submissionMails: "hourly", languagePreference: language });
      const { submit } = await ask(api, { documents: [{ name: "Pets", kind: "number" }] }, owner);
      expect((await submit({ Pets: "2" })).status).toBe(201);
      const [mail] = await mailsTo(api, owner.email, () => api.runJobs(after(61), after(62)));
      expect(mail?.text).toContain("/?envelope=");
      expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toMatch(
        /\b(?:documents?|documentos?|files?|fichiers?|archivos?|arquivos?|Dokumente?n?|Datei(?:en)?)\b|文件|書類|ファイル/,
      );
    },
  );

  test("each is told at once by default, and what waits goes as one when the choice changes", async () => {
    const owner = await chosen(api, {});
    const one = await mailsTo(api, owner.email, () => submitted(api, owner));
    expect(one.map(({ subject }) => subject)).toEqual([expect.stringContaining("has sent the documents")]);
    await owner.patch("/api/user/profile", { submissionMails: "daily" });
    const none = await mailsTo(api, owner.email, async () => {
      await submitted(api, owner, "First");
      await submitted(api, owner, "Second");
      await api.finishBackgroundWork();
      await owner.patch("/api/user/profile", { submissionMails: "daily", firstName: "Ada" });
    });
    expect(none).toEqual([]);
    const all = await mailsTo(api, owner.email, () =>
      owner.patch("/api/user/profile", { submissionMails: "at_once" }),
    );
    expect(all.map(({ subject }) => subject)).toEqual(["2 requests were answered"]);
    expect(await mailsTo(api, owner.email, () => api.runJobs("2026-03-20T12:00:00.000Z"))).toEqual([]);
  });

  test.each(["hourly", "at_once"])(
    "of very many, none is told of by itself, and each in one digest (then %s)",
    async (submissionMails) => {
      const owner = await chosen(api, { submissionMails: "hourly" });
      const first = await submitted(api, owner);
      await api.finishBackgroundWork();
      const held = `kind = 'submission' and failure = 'digest' and user_id = ${owner.id}`;
      const copies =
        "(with recursive n(i) as (select 1 union all select i + 1 from n where i < 2002) select i from n)";
      const same =
        "user_id, created_by, workspace_id, title, description, customer_email, expiration_date, subject, sent_at, completed_at, to_review, created_at, updated_at, time_zone, end_of_last_day, is_draft, status";
      await api.execute(
        `insert into envelopes (id, submission_token, ${same}) select id + i, 'copy' || id || i, ${same} from envelopes, ${copies} where id = ${first.id}`,
      );
      const kept =
        "user_id, kind, channel, recipient, payload, failure, next_attempt_at, created_at, status, attempts";
      await api.execute(
        `insert into notifications (envelope_id, dedupe_key, ${kept}) select envelope_id + i, dedupe_key || i, ${kept} from notifications, ${copies} where ${held}`,
      );
      expect(await api.select(`select count(*) as rows from notifications where ${held}`)).toEqual([
        { rows: 2003 },
      ]);
      const mails = await mailsTo(api, owner.email, async () => {
        await owner.patch("/api/user/profile", { submissionMails });
        await api.finishBackgroundWork();
        await api.runJobs(after(61), after(62), after(63));
      });
      expect(mails.map(({ subject }) => subject)).toEqual([
        expect.stringMatching(/^2.?000 requests were answered$/),
        "3 requests were answered",
      ]);
      expect(mails[0]?.text).toMatch(/1.?900 more/);
      expect([...(mails[0]?.text ?? "").matchAll(/envelope=/g)]).toHaveLength(100);
      const left = `select count(*) as rows from notifications where ${held} and status = 'queued'`;
      expect(await api.select(left)).toEqual([{ rows: 0 }]);
    },
  );

  test("what was asked for again and is answered on the due day is told at once", async () => {
    const owner = await chosen(api, { submissionMails: "daily" });
    const dueDate = TEST_START.slice(0, 10);
    const envelope = await submitted(api, owner, "Rita Recipient", { dueDate });
    await api.finishBackgroundWork();
    const [document] = envelope.documents;
    const reviewed = await owner.post(`/api/requests/${envelope.id}/review`, {
      ...{ accept: [], return: [{ documentId: document.id, reason: "Blurry" }] },
    });
    await api.setClock(after(5));
    const mails = await mailsTo(api, owner.email, async () => {
      await api.anonymous().post(linkOf(reviewed.body), form({ Contract: pdfFile() }));
    });
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining("has answered again")]);
  });

  test("names nothing of a workspace that the reader has left, and nothing that is deleted", async () => {
    const boss = await chosen(api, {});
    const member = await joinAs(api, boss, "member");
    await member.patch("/api/user/profile", { submissionMails: "hourly" });
    const { workspaceId } = boss;
    const theirs = await submitted(api, boss, "Secret Client", { workspaceId, assigneeId: member.id });
    const [kept, gone] = [await submitted(api, member, "Own Client"), await submitted(api, member, "Gone")];
    await api.finishBackgroundWork();
    const held = `select id from notifications where user_id = ${member.id} and failure = 'digest'`;
    expect(await api.select(held)).toHaveLength(3);
    await member.delete(`/api/requests/${gone.id}`);
    expect((await boss.delete(`/api/workspaces/${workspaceId}/members/${member.id}`)).status).toBe(204);
    const mails = await mailsTo(api, member.email, () => api.runJobs(after(61), after(62)));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("Own Client");
    expect(mails[0]?.text).toContain(`envelope=${kept.id}`);
    for (const words of ["Secret Client", `envelope=${theirs.id}`, "Gone"])
      expect(mails[0]?.text).not.toContain(words);
  });

  test("what waits for somebody who is disabled meanwhile goes to an owner of the workspace", async () => {
    const boss = await chosen(api, {});
    const member = await joinAs(api, boss, "member");
    await member.patch("/api/user/profile", { submissionMails: "hourly" });
    await submitted(api, boss, "Rita", { workspaceId: boss.workspaceId, assigneeId: member.id });
    await api.finishBackgroundWork();
    await api.execute(`update users set disabled_at = '${after(1)}' where id = ${member.id}`);
    const mails = await mailsTo(api, boss.email, () => api.runJobs(after(61), after(62)));
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining("has sent the documents")]);
  });

  test("an hour beyond the day and an unknown choice are rejected", async () => {
    const owner = await chosen(api, {});
    for (const settings of [{ digestHour: 24 }, { digestHour: 7.5 }, { submissionMails: "weekly" }])
      expect((await owner.patch("/api/user/profile", settings)).status).toBe(400);
  });
});

test.each([
  ["2026-03-14T09:00:00.000Z", "Europe/Berlin", 8, "2026-03-15T07:00:00.000Z"],
  // Clocks change on the night before, or the hour itself does not exist.
  ["2026-03-28T12:00:00.000Z", "Europe/Berlin", 8, "2026-03-29T06:00:00.000Z"],
  ["2026-03-28T12:00:00.000Z", "Europe/Berlin", 2, "2026-03-29T01:00:00.000Z"],
  ["2026-10-24T12:00:00.000Z", "Europe/Berlin", 2, "2026-10-25T00:00:00.000Z"],
  ["2026-03-14T09:00:00.000Z", null, 9, "2026-03-15T09:00:00.000Z"],
])("of what came at %s, a daily digest in %p at %i goes at %s", (since, timeZone, digestHour, due) => {
  const time = digestTime({ submissionMails: "daily", digestHour, timeZone }, new Date(since));
  expect(time.toISOString()).toBe(due);
});
