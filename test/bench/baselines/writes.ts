/** The minimum of a write: its rows in one durable batch, its files with their fsyncs. */
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client";
import { serve } from "bun";
import { openLibsql } from "../../../db/libsql";

const folder = process.env.DATA_DIR ?? ".";
const url = pathToFileURL(join(folder, "writes.db")).href;
const migrated = await openLibsql({ url });
await migrated.migrate();
migrated.close();
const client = createClient({ url });
const now = new Date().toISOString();
await client.executeMultiple(`
  insert into users (id, email, password, created_at) values (1, 'a@example.com', '', '${now}');
  insert into workspaces (id, user_id, name, created_at, updated_at) values (1, 1, 'W', '${now}', '${now}');`);

const notification = (kind: string, request: string) =>
  `insert into notifications (user_id, envelope_id, kind, channel, recipient, payload, dedupe_key, next_attempt_at, created_at)
   values (1, ${request}, '${kind}', 'email', 'charles@example.com', '{}', '${kind}:${crypto.randomUUID()}', '${now}', '${now}')`;

const events = (actor: string, kinds: string[], request: string) =>
  `insert into envelope_events (envelope_id, user_id, kind, actor, address, at)
   values ${kinds.map((kind) => `(${request}, ${actor === "requestor" ? 1 : null}, '${kind}', '${actor}', '127.0.0.1', '${now}')`).join(", ")}`;

/** The rows of an envelope with three documents. */
async function create(): Promise<void> {
  const token = crypto.randomUUID();
  const request = `(select id from envelopes where submission_token = '${token}')`;
  const documentRow = (position: number) =>
    `(${request}, ${position}, 'Document ${position}', true, '["pdf","jpg"]')`;
  await client.batch(
    [
      `insert into envelopes (user_id, created_by, updated_by, workspace_id, title, subject, description, customer_email, submission_token, filter_text, subject_key, recipient_key, text_bytes, created_at, updated_at)
       values (1, 1, 1, 1, 'Document Request for Charles Babbage', 'Papers', 'Please send me the papers', 'charles@example.com', '${token}', 'papers', 'papers', 'charles babbage', 200, '${now}', '${now}')`,
      `insert into envelope_documents (envelope_id, position, name, required, allowed_file_types)
       values ${[0, 1, 2].map(documentRow).join(", ")}`,
      events("requestor", ["created", "sent"], request),
      notification("invitation", request),
      `insert into workspace_activity (workspace_id, type, actor_id, actor_name, target, created_at, detail)
       values (1, 'request.sent', 1, 'a@example.com', json_object('id', ${request}), '${now}', '{}')`,
    ],
    "write",
  );
}

/** The rows of a submission to the newest envelope. */
async function submit(keys: string[]): Promise<void> {
  const request = `(select max(id) from envelopes)`;
  await client.batch(
    [
      notification("submission", request),
      notification("receipt", request),
      `insert into submissions (envelope_id, document_name, file_path, file_name, file_size, mime_type, created_at)
       values ${keys.map((key) => `(${request}, 'Document', '${key}', 'file.pdf', 1000, 'application/pdf', '${now}')`).join(", ")}`,
      events("recipient", ["submitted"], request),
      `update envelopes set status = 'completed', completed_at = '${now}', is_new = true, file_bytes = 3000, to_review = 3 where id = ${request}`,
      `update template_uses set status = 'completed' where envelope_id = ${request}`,
    ],
    "write",
  );
}

async function store(part: File): Promise<string> {
  const key = crypto.randomUUID();
  const path = join(folder, key);
  const handle = await open(`${path}.part`, "w");
  await handle.write(await part.bytes());
  await handle.sync();
  await handle.close();
  await rename(`${path}.part`, path);
  const parent = await open(folder, "r");
  await parent.sync();
  await parent.close();
  return key;
}

const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    if (request.url.endsWith("/files")) {
      const parts = [...(await request.formData()).values()].filter((part) => typeof part !== "string");
      await submit(await Promise.all(parts.map(store)));
    } else {
      await request.json();
      await create();
    }
    return Response.json({}, { status: 201 });
  },
});
process.stdout.write(`runs at ${server.url.origin}\n`);
