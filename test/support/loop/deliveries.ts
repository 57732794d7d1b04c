import { sql } from "drizzle-orm";
import { createClient } from "../api/client";
import { startBunRuntime } from "../runtime/bun-runtime";
import { TEST_START } from "../runtime/runtime";

const AT = TEST_START;
const count = (rows: number) =>
  sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n)`;

/** An account with so many submitted files, and two destinations, one of which has got them. */
export async function startWithDeliveries(envelopes: number, filesOfEach: number) {
  const runtime = await startBunRuntime({ rateLimits: "off" });
  const { db } = runtime.deps;
  const owner = createClient(runtime);
  const { id } = (await owner.post("/api/register", { email: "owner@example.com", password: "a secret" }))
    .body;
  const workspaceId: number = (await owner.get("/api/workspaces")).body[0].id;
  await db.run(
    sql`insert into envelopes (user_id, created_by, workspace_id, title, description, customer_email, submission_token, status, is_draft, reminder_frequency, created_at, updated_at, sent_at, completed_at) select ${id}, ${id}, ${workspaceId}, 'T', 'm', 'p@example.com', 'e' || i, 'completed', 0, 'none', ${AT}, ${AT}, ${AT}, ${AT} from ${count(envelopes)}`,
  );
  await db.run(
    sql`insert into envelope_documents (envelope_id, position, name, allowed_file_types) select id, 0, 'Papers', '[]' from envelopes`,
  );
  await db.run(
    sql`insert into submissions (envelope_id, envelope_document_id, document_name, file_path, file_name, file_size, mime_type, created_at) select envelope_id, id, name, 'file' || id || '-' || n.i, 'f.pdf', 10, 'application/pdf', ${AT} from envelope_documents, ${count(filesOfEach)} as n`,
  );
  const destinations = await db.all<{ id: number }>(
    sql`insert into destinations (workspace_id, kind, name, settings, delivered_when, folder_rule, include_answers, state, created_at, updated_at) select ${workspaceId}, 'webdav', 'N', '{}', 'submitted', '{subject}', 1, 'paused', ${AT}, ${AT} from ${count(2)} returning id`,
  );
  const [waiting, served] = destinations.map((destination) => destination.id);
  await db.run(
    sql`insert into file_deliveries (destination_id, envelope_id, submission_id, submitted_at, state, state_at, created_at) select ${served}, envelope_id, id, created_at, 'delivered', ${AT}, ${AT} from submissions`,
  );
  return { runtime, owner, workspaceId, waiting, served };
}
