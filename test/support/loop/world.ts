import { sql } from "drizzle-orm";
import { indexStaleEnvelopes } from "../../../db/queries/search";
import { LIMITS } from "../../../worker/contract/limits";
import { createClient } from "../api/client";
import { startBunRuntime } from "../runtime/bun-runtime";
import { TEST_START } from "../runtime/runtime";
import { QUESTIONS, type World } from "./worst-calls";

const AT = TEST_START;
const SMALL = 3000;
const LARGE = 20;

const count = (rows: number) =>
  sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n)`;

/** The app in this process with an account that has much of everything, and long texts. */
export async function startWorld({ filesPerDocument = 1 } = {}) {
  const runtime = await startBunRuntime({
    rateLimits: "off",
    variables: { ADMIN_EMAILS: "owner@example.com", SIGN_UP: "open" },
  });
  const { deps } = runtime;
  const { db } = deps;
  deps.webhookSender = { slots: 16, send: async () => ({ statusCode: 200, response: "" }) };
  // Thirty thousand rows share one file.
  const { files } = deps;
  const stored = await files.create("shared.pdf");
  await stored.write(new TextEncoder().encode("%PDF-1.4 \n"));
  await stored.commit();
  deps.files = { ...files, read: () => files.read("shared.pdf") };
  const owner = createClient(runtime);
  const credentials = { email: "owner@example.com", password: "a long password" };
  const { id: userId } = (await owner.post("/api/register", credentials)).body;
  await db.run(
    sql`update users set is_verified = 1, verified_by_owner = 1, storage_quota = ${LIMITS.accountQuota}`,
  );
  const workspaceId: number = (await owner.get("/api/workspaces")).body[0].id;
  await db.run(sql`update workspaces set storage_quota = ${LIMITS.accountQuota}`);
  const own = sql`${userId}, ${workspaceId}`;
  const long = (length: number) => sql`substr(hex(zeroblob(${length})), 1, ${length})`;
  const tags = JSON.stringify(
    Array.from({ length: LIMITS.tagsPerContact - 1 }, (_, index) => `Tag ${index}`),
  );
  await db.run(
    sql`insert into contacts (user_id, workspace_id, first_name, email, notes, created_at, updated_at, tags) select ${own}, 'Person ' || i, 'p' || i || '@example.com', ${long(3000)}, ${AT}, ${AT}, json_insert(${tags}, '$[#]', 'Person ' || i) from ${count(2500)}`,
  );
  const contactId: number = (await owner.get("/api/contacts?limit=1")).body[0].id;
  const fields = JSON.stringify(
    Array.from({ length: 100 }, (_, index) => ({
      ...{ name: `Document ${index}`, description: "d".repeat(9000), required: true },
      ...{ allowedFileTypes: [], multiple: false, reasonAllowed: false },
    })),
  );
  await db.run(
    sql`insert into templates (user_id, workspace_id, name, fields, created_at) select ${own}, 'T' || i, ${fields}, ${AT} from ${count(LARGE)}`,
  );
  const templateId: number = (await owner.get("/api/templates?limit=1")).body[0].id;
  const columns = sql`user_id, created_by, workspace_id, contact_id, title, description, customer_email, submission_token, status, is_draft, recipient_name, reminder_frequency, expiration_date, subject, created_at, updated_at, sent_at, completed_at, next_reminder_at, time_zone, end_of_last_day`;
  const envelopes = (kind: string, rows: number, status: string, subject: ReturnType<typeof sql>) =>
    db.run(
      sql`insert into envelopes (${columns}) select ${userId}, ${own}, ${contactId}, 'Document Request for Person', 'm', 'p' || i || '@example.com', ${kind} || i, ${status}, ${status === "draft" ? 1 : 0}, 'Person', 'daily', '2026-04-01', ${subject}, ${AT}, ${AT}, ${AT}, ${status === "completed" ? AT : null}, ${status === "pending" ? AT : null}, 'UTC', '2026-04-01T23:59:59.999Z' from ${count(rows)}`,
    );
  await envelopes("small", SMALL, "pending", sql`'Tax return ' || i`);
  await envelopes("large", LARGE, "pending", long(500));
  await envelopes("draft", 1, "draft", long(500));
  await envelopes("hostile", 100, "pending", sql`replace(${long(500)}, '0', 'a')`);
  await envelopes("submitted", 100, "completed", sql`'Done'`);
  const documents = (kind: string, rows: number, name: ReturnType<typeof sql>, description: number) =>
    db.run(
      sql`insert into envelope_documents (envelope_id, position, name, description, allowed_file_types) select envelopes.id, n.i, ${name}, ${long(description)}, '[]' from envelopes, ${count(rows)} as n where submission_token like ${`${kind}%`}`,
    );
  await documents("small", 2, sql`'Payslip ' || n.i`, 20);
  await documents("large", 100, sql`n.i || hex(zeroblob(95))`, 9000);
  await documents("draft", 100, sql`n.i || hex(zeroblob(95))`, 9000);
  await documents("hostile", 100, sql`n.i || replace(hex(zeroblob(90)), '0', 'a') || ' baab'`, 20);
  await documents("submitted", 100, sql`'Paper ' || n.i`, 100);
  await db.run(
    sql`update envelopes set text_bytes = (select coalesce(sum(octet_length(name) + octet_length(description)), 0) from envelope_documents where envelope_id = envelopes.id)`,
  );
  await db.run(
    sql`insert into submissions (envelope_id, envelope_document_id, document_name, file_path, file_name, file_size, mime_type, created_at) select d.envelope_id, d.id, d.name, 'file' || d.id || '-' || n.i, 'file.pdf', 10, 'application/pdf', ${AT} from envelope_documents as d join envelopes as r on r.id = d.envelope_id, ${count(filesPerDocument)} as n where r.submission_token like 'submitted%'`,
  );
  // Of one recipient, so that each is compared with all of them.
  await db.run(
    sql`update envelope_documents set valid_until = '2026-05-01', workspace_id = ${workspaceId} where envelope_id in (select id from envelopes where submission_token like 'submitted%')`,
  );
  await db.run(
    sql`update envelope_documents set kind = 'number' where envelope_id = (select id from envelopes where submission_token = 'small1')`,
  );
  // No two of them with the same question.
  await envelopes("answered", 100, "completed", sql`'Done'`);
  await db.run(
    sql`insert into envelope_documents (envelope_id, position, name, description, allowed_file_types, kind) select envelopes.id, n.i, 'Question ' || envelopes.id || ' ' || n.i, '', '[]', 'text' from envelopes, ${count(100)} as n where submission_token like 'answered%'`,
  );
  await db.run(
    sql`insert into answers (envelope_id, envelope_document_id, value, sealed, superseded, created_at, submitted_at) select envelope_id, id, '"x"', 0, 0, ${AT}, ${AT} from envelope_documents where kind = 'text'`,
  );
  const idOf = async (token: string): Promise<number> =>
    (await db.get<{ id: number }>(sql`select id from envelopes where submission_token = ${token}`)).id;
  const submitted = await idOf("submitted1");
  await db.run(
    sql`insert into envelope_events (envelope_id, kind, actor, actor_id, at, detail) select ${submitted}, 'downloaded', 'account', ${userId}, ${AT}, ${long(200)} from ${count(3000)}`,
  );
  await db.run(
    sql`insert into notifications (user_id, envelope_id, kind, channel, recipient, payload, dedupe_key, status, next_attempt_at, created_at, sent_at) select ${userId}, ${submitted}, 'reminder', 'email', 'p@example.com', '{}', 'k' || i, 'sent', ${AT}, ${AT}, ${AT} from ${count(3000)}`,
  );
  await db.run(
    sql`insert into notifications (user_id, envelope_id, kind, channel, recipient, payload, dedupe_key, status, next_attempt_at, created_at) select ${userId}, ${submitted}, 'message', 'email', 'p@example.com', '{}', 'f' || i, 'failed', ${AT}, ${AT} from ${count(1000)}`,
  );
  await db.run(
    sql`insert into sign_ins (user_id, at, method, address, user_agent, succeeded) select ${userId}, ${AT}, 'password', '203.0.113.7', ${long(500)}, 1 from ${count(500)}`,
  );
  await db.run(
    sql`insert into sessions (sid, sess, expire, user_id) select 's' || i, json_set(sess, '$.id', 's' || i), expire, user_id from (select sess, expire, user_id from sessions limit 1), ${count(999)}`,
  );
  await db.run(
    sql`insert into users (email, password, created_at) select 'u' || i || '@example.com', '', ${AT} from ${count(2000)}`,
  );
  while ((await indexStaleEnvelopes(db, 60_000)) > 0);
  const bulk = await owner.post("/api/requests/bulk", {
    envelope: { subject: "x", documents: [{ name: "Payslip" }] },
    recipients: [{ recipientName: "A", recipientEmail: "a@example.com" }],
  });
  const series = await owner.post("/api/series", {
    ...{ name: "s", every: 1, unit: "month", startOn: "2026-05-01" },
    envelope: { subject: "x", documents: [{ name: "Payslip" }] },
    recipients: Array.from({ length: LIMITS.recipientsPerBulkSend }, (_, index) => ({
      ...{ recipientName: `S ${index}`, recipientEmail: `s${index}@example.com` },
    })),
  });
  const questioned = await owner.post("/api/requests", {
    ...{ recipientName: "Q", recipientEmail: "q@example.com", subject: "x", documents: QUESTIONS },
  });
  const webhook = await owner.post("/api/webhooks", {
    url: "https://example.com/hook",
    events: ["request.deleted"],
  });
  await runtime.finishBackgroundWork();
  const world: World = {
    ...{ userId, workspaceId, contactId, templateId },
    draft: await idOf("draft1"),
    sent: { id: await idOf("large1"), token: "large1" },
    submitted: {
      id: submitted,
      documents: (
        await db.all<{ id: number }>(sql`select id from envelope_documents where envelope_id = ${submitted}`)
      ).map(({ id }) => id),
    },
    archived: (
      await db.all<{ id: number }>(sql`select id from envelopes where submission_token like 'submitted%'`)
    ).map(({ id }) => id),
    asked: {
      token: "small1",
      documents: (
        await db.all<{ id: number }>(
          sql`select id from envelope_documents where envelope_id = ${await idOf("small1")}`,
        )
      ).map(({ id }) => id),
    },
    answered: (
      await db.all<{ id: number }>(sql`select id from envelopes where submission_token like 'answered%'`)
    ).map(({ id }) => id),
    questioned: { token: questioned.body.submissionToken, first: questioned.body.documents[0].id },
    bulkId: bulk.body.id,
    seriesId: series.body.id,
    webhookId: webhook.body.id,
  };
  return { runtime, owner, world };
}
