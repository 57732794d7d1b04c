import { expect, test } from "bun:test";
import { createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { spawnServer } from "../support/processes/bun-process";
import { startSmtpServer } from "../support/servers/smtp-server";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

const folder = makeFolder();

test("the log has actions and rejections in lines that cannot be forged, and no secret", async () => {
  const smtp = await startSmtpServer();
  const server = spawnServer({ DATA_DIR: folder, SMTP_URL: smtp.url });
  const client = createClient({ fetch: (request) => fetch(request), origin: await server.url });
  const email = "logged@example.com";
  await client.post("/api/register", { email, password: "first-secret" });
  const cookies = [client.cookie];
  await client.post("/api/login", { email, password: "wrong-secret" });
  await client.post("/api/password/forgot", { email });
  const envelope = (await client.post("/api/requests", ENVELOPE)).body;
  const file = pdfFile("private-name.pdf", "private-content");
  await client.send("POST", linkOf(envelope), form({ Contract: file }));
  const { body } = await client.get(`/api/requests/${envelope.id}`);
  await client.get(body.submissions[0].url);
  await client.delete(`/api/requests/${envelope.id}`);
  await client.get('/api/requests/%0D%0A{"level":"info","event":"forged"}');
  const reset = await linkInMail(smtp, "/reset/");
  await client.post("/api/password/reset", { token: reset, newPassword: "second-secret" });
  await client.post("/api/login", { email, password: "second-secret" });
  cookies.push(client.cookie);
  server.child.kill("SIGTERM");
  const output = await server.output;
  await smtp.close();

  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  const events = lines.map((line) => JSON.parse(line));
  for (const event of ["registered", "submitted", "downloaded", "password reset", "signed in"])
    expect(events.map((line) => line.event)).toContain(event);
  const requests = events.filter(({ event }) => event === "request");
  for (const [method, route, status] of [
    ["POST", "/api/login", 401],
    ["DELETE", "/api/requests/:id", 204],
    ["POST", "/api/submissions/:token", 201],
  ])
    expect(requests).toContainEqual(expect.objectContaining({ method, route, status }));
  expect(events.map(({ event }) => event)).not.toContain("forged");
  const secrets = [
    "-secret",
    "private-",
    reset,
    envelope.submissionToken,
    ...cookies.map((cookie) => cookie.replace(/^.*?=/, "")),
  ];
  for (const secret of secrets) expect([secret, output.includes(secret)]).toEqual([secret, false]);
}, 300_000);

function linkInMail(smtp: Awaited<ReturnType<typeof startSmtpServer>>, path: string): Promise<string> {
  return waitFor(`a mail with ${path}`, async () => {
    const texts = (await smtp.received()).map(({ text }) => text);
    return texts.map((text) => text.split(path)[1]?.match(/^[\w-]+/)?.[0]).find(Boolean);
  });
}
