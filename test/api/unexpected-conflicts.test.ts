import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import type { createMemoryLogger } from "../support/memory/memory-logger";
import { startBunRuntime } from "../support/runtime/bun-runtime";

const CONSTRAINTS = [
  "NOT NULL constraint failed: submissions.mime_type",
  "CHECK constraint failed: some_check",
];

/** A constraint failure that no service expects is a bug, and is never reported as a conflict about an envelope. */
describeApi("an unexpected constraint", (api) => {
  const reject = (event: string, text: string) =>
    api.execute(`create trigger fault before ${event} begin select raise(abort, '${text}'); end`);
  const mend = () => api.execute("drop trigger fault");
  const internal = { status: 500, body: { code: "internal" } };

  test.each(CONSTRAINTS)("fails a submission as a whole (%s)", async (text) => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner);
    await reject("insert on submissions", text);
    const rejected = await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    await mend();
    expect(rejected).toMatchObject(internal);
    expect((await owner.get(`/api/requests/${envelope.id}`)).body.status).toBe("pending");
    expect((await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }))).status).toBe(201);
  });

  test.each([...CONSTRAINTS, "FOREIGN KEY constraint failed"])(
    "fails the change of an envelope (%s)",
    async (text) => {
      const owner = await api.signUp();
      const envelope = await sendEnvelope(owner);
      await reject("update on envelope_documents", text);
      const rejected = await owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, subject: "Changed" });
      await mend();
      expect(rejected).toMatchObject(internal);
    },
  );

  test("fails a registration and a reset of the password", async () => {
    const owner = await api.signUp();
    await api.anonymous().post("/api/password/forgot", { email: owner.email });
    await api.finishBackgroundWork();
    const token = /\/reset\/([\w-]+)/.exec((await api.mails()).at(-1)?.text ?? "")?.[1];
    await reject("insert on users", "UNIQUE constraint failed: users.username");
    const account = { email: "new@example.com", password: "a long password" };
    expect(await api.anonymous().post("/api/register", account)).toMatchObject(internal);
    await mend();
    await reject("update on users", CONSTRAINTS[0] ?? "");
    const reset = { token, newPassword: "another password" };
    expect(await api.anonymous().post("/api/password/reset", reset)).toMatchObject(internal);
    await mend();
    expect((await api.anonymous().post("/api/password/reset", reset)).status).toBe(204);
  });
});

test("is logged with the id of its request", async () => {
  const runtime = await startBunRuntime();
  await runtime.execute(
    "create trigger fault before insert on users begin select raise(abort, 'CHECK constraint failed: a_check'); end",
  );
  const response = await runtime.fetch(
    new Request(`${runtime.origin}/api/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", password: "a long password" }),
    }),
  );
  expect(response.status).toBe(500);
  const { entries } = runtime.deps.log as ReturnType<typeof createMemoryLogger>;
  const failure = entries.find(({ event }) => event === "request failed");
  expect(failure).toMatchObject({
    level: "error",
    fields: { requestId: response.headers.get("x-request-id") },
  });
  expect(String(failure?.fields.error)).toContain("a_check");
  await runtime.stop();
});
