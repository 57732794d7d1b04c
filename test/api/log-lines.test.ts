import { expect, spyOn, test } from "bun:test";
import { findUpload } from "../../db/queries/uploads";
import { createApp } from "../../worker/app";
import { aliveSince, type UploadLock, whileLocked } from "../../worker/features/uploads/upload-lock";
import { DeliveryError } from "../../worker/ports/mailer";
import { createClient, describeApi } from "../support/api/client";
import { sendEnvelope } from "../support/api/envelopes";
import { createTus } from "../support/api/tus";
import { pdfFile } from "../support/files/files";
import { createMemoryLogger } from "../support/memory/memory-logger";
import { startBunRuntime } from "../support/runtime/bun-runtime";

describeApi("log lines", (api) => {
  test("a request's log line has its id; those of messages name envelope and account, whichever request sends them", async () => {
    const owner = await api.signUp();
    await api.finishBackgroundWork();
    const before = (await api.logs()).length;
    const envelope = await sendEnvelope(owner);
    await api.finishBackgroundWork();
    const lines = Object.fromEntries(
      (await api.logs()).slice(before).map(({ event, fields }) => [event, fields]),
    );
    expect(Object.keys(lines).sort()).toEqual(["notification sent", "request"]);
    expect(lines.request?.requestId).toEqual(expect.stringMatching(/^[\da-f-]{36}$/));
    expect(lines["notification sent"]).toMatchObject({ envelopeId: envelope.id, userId: owner.id });
    expect(lines["notification sent"]).not.toHaveProperty("requestId", expect.anything());
  });

  test("a message that is no longer needed is no error", async () => {
    const owner = await api.signUp();
    await api.setMail("down");
    const { id } = await sendEnvelope(owner);
    await api.finishBackgroundWork();
    await api.setMail("works");
    await api.execute(`update envelopes set status = 'completed' where id = ${id}`);
    await api.execute(`update notifications set next_attempt_at = created_at where envelope_id = ${id}`);
    const before = (await api.logs()).length;
    await api.runJobs();
    await api.finishBackgroundWork();
    const lines = (await api.logs()).slice(before).filter(({ fields }) => fields.envelopeId === id);
    expect(lines).toMatchObject([{ level: "info", event: "notification cancelled" }]);
  });

  test("failed sign-ins, uploads, archives and deletions are logged with what they are about", async () => {
    const owner = await api.signUp();
    const userId = (await owner.get("/api/user")).body.id;
    const envelope = await sendEnvelope(owner);
    const [{ id: documentId }] = envelope.documents;
    const before = (await api.logs()).length;
    await api.anonymous().post("/api/login", { email: owner.email, password: "not the password" });
    const tus = createTus(api, envelope);
    await tus.upload(documentId, pdfFile());
    await tus.submit();
    await owner.get(`/api/requests/${envelope.id}/files.zip`);
    await owner.delete(`/api/requests/${envelope.id}`);
    const logged = Object.fromEntries(
      (await api.logs()).slice(before).map(({ event, fields }) => [event, fields]),
    );
    expect(logged).toMatchObject({
      "sign-in failed": { userId, client: expect.any(String) },
      uploaded: { envelopeId: envelope.id, documentId, bytes: pdfFile().size },
      "archive downloaded": { userId, envelopeIds: String(envelope.id), files: 1 },
      "envelope deleted": { userId, envelopeId: envelope.id },
    });
  });

  test("a rejected cross-site request is logged as a warning with the expected origin", async () => {
    const origin = `https://evil.example/${"x".repeat(1000)}`;
    const { status } = await api.anonymous().send("POST", "/api/login", {}, { origin });
    expect(status).toBe(403);
    const line = (await api.logs()).findLast(({ event }) => event === "cross-site request rejected");
    expect(line).toMatchObject({
      level: "warn",
      fields: { expected: expect.stringContaining(api.origin), requestId: expect.any(String) },
    });
    expect(String(line?.fields.origin)).toHaveLength(200);
    expect(line?.fields.advice).toBeUndefined();
  });

  test("a page of the server itself that is rejected is logged with advice on PUBLIC_URL", async () => {
    const headers = { origin: "https://docs.example", "sec-fetch-site": "same-origin" };
    const { body } = await api.anonymous().send("POST", "/api/login", {}, headers);
    expect(body.message).toContain("PUBLIC_URL");
    const line = (await api.logs()).findLast(({ event }) => event === "cross-site request rejected");
    expect(line?.fields).toMatchObject({
      ...{ origin: "https://docs.example", expected: expect.stringContaining(api.origin) },
      advice: expect.stringContaining("PUBLIC_URL"),
    });
  });
});

test("a failed query is logged without its parameters", async () => {
  const runtime = await startBunRuntime();
  const log = createMemoryLogger();
  const app = createApp({ ...runtime.deps, log });
  const client = { clientAddress: "203.0.113.7" };
  const post = (path: string, body: unknown) =>
    app.request(
      path,
      { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
      client,
    );
  for (const table of ["envelopes", "users"])
    await runtime.deps.db.run(`alter table ${table} rename to ${table}_gone`);
  const token = "a-token-that-opens-a-link-0123456789";
  expect((await app.request(`/api/submissions/${token}`, {}, client)).status).toBe(500);
  expect((await post("/api/login", { email: "private@example.com", password: "a-password" })).status).toBe(
    500,
  );
  const failures = log.entries.filter(({ event }) => event === "request failed");
  expect(failures).toHaveLength(2);
  for (const { level, fields } of failures) {
    expect(level).toBe("error");
    expect(fields).toMatchObject({
      requestId: expect.any(String),
      error: expect.stringMatching(/Failed query: select[\s\S]*no such table/),
      stack: expect.stringMatching(/^at /),
    });
  }
  for (const secret of [token, "private@example.com", "a-password"])
    expect(JSON.stringify(log.entries)).not.toContain(secret);
  await runtime.stop();
});

test("a rejected message is logged without what the server quotes of it", async () => {
  const runtime = await startBunRuntime();
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
  // A sender that still runs would use the mailer that it began with.
  await runtime.finishBackgroundWork();
  let link = "";
  runtime.deps.mailer = {
    async send({ to, text }) {
      link = /https?:\S+/.exec(text)?.[0] ?? "";
      throw new DeliveryError(`SMTP: 550 5.7.1 <${to}> rejected for ${link}`, { permanent: true });
    },
  };
  runtime.deps.smsSender = {
    async send({ to }) {
      throw new DeliveryError(`The SMS gateway answered 400: {"message":"'To' number ${to} is not valid"}`, {
        permanent: true,
      });
    },
  };
  await sendEnvelope(owner, { recipientPhone: "+15551234567", notificationPreference: "both" });
  await runtime.finishBackgroundWork();
  const lines = (await runtime.logs()).filter(({ event }) => event === "notification not sent");
  expect(lines.map(({ fields }) => fields.error).toSorted()).toEqual([
    expect.stringMatching(/^SMTP: 550 5\.7\.1 <…> rejected for http/),
    `The SMS gateway answered 400: {"message":"'To' number … is not valid"}`,
  ]);
  const token = link.split("/").at(-1) ?? "";
  expect(token).toMatch(/^[\w-]{20,}$/);
  for (const secret of ["rita@", "5551234567", token]) expect(JSON.stringify(lines)).not.toContain(secret);
  await runtime.stop();
});

test("an upload lock that cannot be renewed is logged without the link's token", async () => {
  const { deps, stop } = await startBunRuntime();
  const log = createMemoryLogger();
  await deps.db.run("alter table uploads rename to uploads_gone");
  const submissionToken = "a-token-that-opens-a-link-0123456789";
  const lock = {
    renew: async () =>
      void (await findUpload(deps.db, { submissionToken, id: "an-id" }, aliveSince(new Date()))),
  } as UploadLock;
  const interval = spyOn(globalThis, "setInterval").mockImplementationOnce(((renew: () => void) =>
    renew()) as never);
  await whileLocked(lock, { ...deps, log }, () => lock.renew().catch(() => {}));
  interval.mockRestore();
  expect(log.entries.map(({ event }) => event)).toEqual(["upload lock not renewed"]);
  expect(JSON.stringify(log.entries)).toContain("no such table");
  expect(JSON.stringify(log.entries)).not.toContain(submissionToken);
  await stop();
});
