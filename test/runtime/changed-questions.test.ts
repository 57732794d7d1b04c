import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { type ApiResponse, createClient } from "../support/api/client";
import { linkOf, sendEnvelope } from "../support/api/envelopes";
import { startBunRuntime } from "../support/runtime/bun-runtime";

type Document = { id: number; name: string; confidential: boolean };

const DOCUMENTS = [
  { name: "Word", kind: "text" },
  { name: "Account", kind: "text", confidential: true },
];

/** Answers both questions, which the requestor changes between the look-up and the write. */
async function answerWhile(change: (documents: Document[]) => Document[], submits = false) {
  const runtime = await startBunRuntime({ rateLimits: "off" });
  const { deps } = runtime;
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "a long password" });
  const envelope = await sendEnvelope(owner, { documents: DOCUMENTS });
  const { secretBox } = deps;
  let changed: ApiResponse | undefined;
  deps.secretBox = {
    ...secretBox,
    seal: async (text, context) => {
      const documents = change(envelope.documents);
      changed ??= await owner.put(`/api/requests/${envelope.id}`, { ...envelope, documents });
      return secretBox.seal(text, context);
    },
  };
  const [word, account] = envelope.documents.map(({ id }: Document) => id);
  const answers = { [word]: "a quetzal", [account]: "a pangolin" };
  const recipient = createClient(runtime);
  const kept = submits
    ? await recipient.post(`${linkOf(envelope)}/submit`, { answers })
    : await recipient.put(`${linkOf(envelope)}/answers`, { answers });
  expect(changed?.status).toBe(200);
  const stored = await deps.db.all<{ value: string }>(sql`select value from answers`);
  return { kept, stored: stored.map(({ value }) => value) };
}

test("an answer to a question that is removed meanwhile is refused with a sentence, and nothing is kept", async () => {
  const { kept, stored } = await answerWhile((documents) => documents.filter(({ name }) => name !== "Word"));
  expect([kept.status, kept.body.code]).toEqual([400, "unknown_document"]);
  expect(stored).toEqual([]);
});

test("an answer to a question that becomes confidential meanwhile is not kept in clear", async () => {
  const { kept, stored } = await answerWhile((documents) =>
    documents.map((document) => ({ ...document, confidential: true })),
  );
  expect(kept.status).toBe(204);
  expect(stored).toHaveLength(2);
  expect(stored.filter((value) => /quetzal|pangolin/.test(value))).toEqual([]);
});

test("a submit is refused as a whole if a text of a question is changed meanwhile", async () => {
  const { kept, stored } = await answerWhile(
    (documents) => documents.map((document) => ({ ...document, description: "Another help" })),
    true,
  );
  expect([kept.status, kept.body.code, stored]).toEqual([409, "envelope_changed", []]);
});
