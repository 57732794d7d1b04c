import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import { MIGRATIONS } from "../../db/version";
import { NOTIFICATION_KINDS } from "../../worker/contract/notifications";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, sendEnvelope } from "../support/api/envelopes";

const FOLDER = join(import.meta.dir, "../../db/migrations");

describeApi("the delivery of an envelope", (api) => {
  test("follows the last message to the recipient, in the list and in the details", async () => {
    const owner = await api.signUp();
    await api.setMail("rejects");
    const envelope = await sendEnvelope(owner);
    expect(await deliveryOf(api, owner, envelope)).toBe("failed");

    await api.setMail("down");
    await owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, recipientEmail: "right@example.com" });
    expect(await deliveryOf(api, owner, envelope)).toBe("pending");
    await api.setMail("works");
    await api.runJobs("2026-03-14T10:30:00Z");
    expect(await deliveryOf(api, owner, envelope)).toBe("ok");

    await api.setMail("rejects");
    expect((await owner.post(`/api/requests/${envelope.id}/remind`)).status).toBe(201);
    expect(await deliveryOf(api, owner, envelope)).toBe("failed");
    await api.setMail("down");
    const { body: messages } = await owner.get(`/api/requests/${envelope.id}/notifications`);
    await owner.post(`/api/requests/${envelope.id}/notifications/${messages.at(-1).id}/retry`);
    expect(await deliveryOf(api, owner, envelope)).toBe("pending");
  });

  test("is failed while one of two channels is, until the recipient is no longer notified by it", async () => {
    const owner = await api.signUp();
    await api.setMail("rejects");
    const both = { recipientPhone: "+14155550123", notificationPreference: "both" };
    const envelope = await sendEnvelope(owner, both);
    expect(await deliveryOf(api, owner, envelope)).toBe("failed");
    await owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, ...both, notificationPreference: "sms" });
    expect(await deliveryOf(api, owner, envelope)).not.toBe("failed");
    await api.setMail("works");
  });

  test("is null for a draft", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { isDraft: true });
    expect(await deliveryOf(api, owner, envelope)).toBeNull();
  });
});

/** As the list has it, which the details must have too. */
async function deliveryOf(api: Api, owner: SignedUp, { id }: { id: number }): Promise<unknown> {
  await api.finishBackgroundWork();
  const [row] = (await owner.get("/api/requests")).body;
  const { body: details } = await owner.get(`/api/requests/${id}`);
  expect(row.id).toBe(id);
  expect(details.delivery).toBe(row.delivery);
  return row.delivery;
}

test("the migration fills in the delivery of the envelopes that exist", async () => {
  const db = new Database(":memory:");
  const [first = "", second = ""] = MIGRATIONS;
  const migrate = async (name: string) => db.run(await file(join(FOLDER, `${name}.sql`)).text());
  await migrate(first);
  const cases = [
    { expected: null, messages: [] },
    { expected: null, messages: ["receipt email failed null"] },
    { expected: "ok", messages: ["invitation email failed refused", "reminder email sent null"] },
    { expected: "pending", messages: ["invitation email sent null", "update email queued null"] },
    { expected: "failed", messages: ["invitation email sent null", "reminder email cancelled unsubscribed"] },
    { expected: "ok", messages: ["invitation email sent null", "reminder email cancelled outdated"] },
    {
      expected: "failed",
      preference: "both",
      messages: ["invitation sms failed refused", "update email sent null"],
    },
    { expected: "ok", messages: ["invitation sms failed refused", "update email sent null"] },
  ];
  db.run("pragma foreign_keys = off");
  cases.forEach(({ messages, preference = "email" }, index) => {
    const id = index + 1;
    db.run(
      `insert into requests (id, user_id, workspace_id, title, description, customer_email, submission_token, notification_preference, created_at, updated_at)
       values (?, 1, 1, '', '', '', ?, ?, '', '')`,
      [id, String(id), preference],
    );
    messages.forEach((message, position) => {
      const [kind = "", channel = "", status = "", failure = ""] = message.split(" ");
      db.run(
        `insert into notifications (request_id, kind, channel, recipient, payload, dedupe_key, status, failure, next_attempt_at, created_at)
         values (?, ?, ?, '', '{}', ?, ?, ?, '', '')`,
        [id, kind, channel, `${id}:${position}`, status, failure === "null" ? null : failure],
      );
    });
  });
  await migrate(second);
  const rows = db.query<{ delivery: string | null }, []>("select delivery from envelopes order by id").all();
  expect(rows.map(({ delivery }) => delivery)).toEqual(cases.map(({ expected }) => expected));

  const trigger = db
    .query<{ sql: string }, []>("select sql from sqlite_master where name = 'notifications_delivery_insert'")
    .get();
  const kinds = Object.entries(NOTIFICATION_KINDS).flatMap(([kind, { isRequest }]) =>
    isRequest ? [`'${kind}'`] : [],
  );
  expect(trigger?.sql).toContain(`kind\` IN (${kinds.join(", ")})`);
  db.close();
});
