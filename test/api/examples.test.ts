import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "../support/api/client";
import { form } from "../support/api/envelopes";
import { readUntil } from "../support/engines/read-until";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";

const README = join(import.meta.dir, "../../worker/features/webhooks/README.md");
const TEMPLATE = { name: "Taxes", fields: [{ name: "Contract" }] };

let runtime: Awaited<ReturnType<typeof startBunRuntime>>;
let server: ReturnType<typeof Bun.serve>;
let environment: Record<string, string | undefined>;
const owner = () => createClient(runtime);
let signedIn: ReturnType<typeof owner>;

beforeAll(async () => {
  runtime = await startBunRuntime({ variables: { WEBHOOK_ALLOW_PRIVATE: "on" } });
  await runtime.setClock(new Date().toISOString());
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => runtime.fetch(request) });
  signedIn = owner();
  const account = { email: "ada@example.com", password: "a long password" };
  expect((await signedIn.post("/api/register", account)).status).toBe(201);
  expect((await signedIn.post("/api/templates", TEMPLATE)).status).toBe(201);
  const { body } = await signedIn.post("/api/tokens", { name: "Example", scope: "write" });
  environment = { ...process.env, SERVER: server.url.origin, TOKEN: body.token };
});

afterAll(async () => {
  await server.stop(true);
  await runtime.stop();
});

/** The README's example in this language. */
async function example(language: string): Promise<string> {
  const text = await Bun.file(README).text();
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? "";
}

test("the example for curl makes a request from a template", async () => {
  const shell = Bun.spawn(["sh", "-c", await example("sh")], { env: environment, stdout: "pipe" });
  const request = JSON.parse(await new Response(shell.stdout).text());
  expect(request).toMatchObject({
    status: "pending",
    subject: "Tax papers",
    documents: [{ name: "Contract" }],
  });
});

test("the example in TypeScript ends with the server's message if a call is rejected", async () => {
  const script = join(import.meta.dir, "../support/rejected-example.tmp.ts");
  await Bun.write(script, await example("ts"));
  try {
    const env = { ...environment, TOKEN: "dlp_wrong" };
    const program = Bun.spawn(["bun", script], { env, stderr: "pipe" });
    expect(await new Response(program.stderr).text()).toContain("invalid_token");
    expect(await program.exited).toBe(1);
  } finally {
    await rm(script, { force: true });
  }
});

test("the example in TypeScript waits for the webhook, verifies it and downloads the files", async () => {
  const script = join(import.meta.dir, "../support/example.tmp.ts");
  await Bun.write(script, await example("ts"));
  try {
    const program = Bun.spawn(["bun", script], { env: environment, stdout: "pipe" });
    const [linkOutput, rest] = program.stdout.tee();
    const bytes = readUntil(rest, /"bytes":(\d+)/);
    const [, link] = await readUntil(linkOutput, /"link":"([\w-]+)"/);
    const response = await owner().post(`/api/submissions/${link}`, form({ Contract: pdfFile() }));
    expect(response.status).toBe(201);
    expect(Number((await bytes)[1])).toBeGreaterThan(500);
    expect(await program.exited).toBe(0);
  } finally {
    await rm(script, { force: true });
  }
}, 240_000);
