import { afterAll, beforeAll, expect } from "bun:test";
import { join } from "node:path";
import { write } from "bun";
import { startBunSite } from "../support/browser/browser";
import { translate } from "../support/browser/translate";
import { inOtherEngines } from "../support/engines/in-engine";
import { button, heading, openPage, text } from "../support/engines/page";
import { largePdfFile, sha256 } from "../support/files/files";
import { type AnsweringProxy, startAnsweringProxy } from "../support/servers/answering-proxy";
import { makeFolder } from "../support/temporary-folder";

const MIB = 1024 * 1024;
const FILE = largePdfFile(3 * MIB, "contract.pdf");

const folder = makeFolder();
let proxy: AnsweringProxy;
let server: Awaited<ReturnType<typeof startBunSite>>;
beforeAll(async () => {
  await write(join(folder, FILE.name), FILE);
  proxy = startAnsweringProxy();
  server = await startBunSite({ publicUrl: proxy.url });
  proxy.forwardTo(server.url);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await proxy.stop();
}, 120_000);

const html = (status: number) =>
  new Response("<h1>Error</h1>", { status, headers: { "Content-Type": "text/html" } });

/** Only small bodies and GET and POST get through. */
function restrict({ method, url, headers }: Request): Response | undefined {
  if (!url.includes("/uploads")) return undefined;
  if (method !== "POST") return html(405);
  return Number(headers.get("Content-Length")) > MIB ? html(413) : undefined;
}

inOtherEngines((test) => {
  test("a request is loaded, uploaded in small chunks and submitted through a proxy that rejects much, and translated", async (engine) => {
    proxy.answer();
    const page = await openPage(await engine.open(), proxy.url);
    await page.goto("/robots.txt");
    await page.api("POST", "/api/register", {
      email: `${crypto.randomUUID()}@example.com`,
      password: "correct horse",
    });
    const { id, submissionToken } = await page.api<{ id: number; submissionToken: string }>(
      "POST",
      "/api/requests",
      {
        recipientName: "Grace Hopper",
        recipientEmail: "grace@example.com",
        subject: "Papers for your account",
        documents: [{ name: "Contract", required: true, allowedFileTypes: ["pdf"] }],
      },
    );
    proxy.answer(({ url }) =>
      url.endsWith(submissionToken) && url.includes("/api/") ? html(410) : undefined,
    );
    await page.goto(`/submit/${submissionToken}`);
    await page.see(heading("Failed to load submission details"));
    proxy.answer(restrict);
    await page.see(heading("Papers for your account"));
    await page.tab.evaluate(`Promise.resolve(String((${translate.toString()})()))`);

    await page.fill("Name", "Grace Hopper");
    await page.fill("Email", "grace@example.com");
    await page.click(button("Next"));
    await page.see(heading("Upload Documents"));
    await page.choose("input[type=file]", join(folder, FILE.name));
    await page.see(button("Replace file for Contract"));
    await page.see(text("Uploaded"));
    await page.click(button("Next"));
    await page.see(heading("Review & Submit"));
    let lost = false;
    proxy.answer(async (request) => {
      if (lost || !request.url.endsWith("/submit")) return restrict(request);
      lost = true;
      await proxy.forward(request);
      return html(502);
    });
    await page.click(button("Submit Documents"));
    await page.see(heading("Submission Complete"));
    const { submissions } = await page.api<{ submissions: { sha256: string }[] }>(
      "GET",
      `/api/requests/${id}`,
    );
    expect(submissions.map((file) => file.sha256)).toEqual([await sha256(FILE)]);
    await page.tab.close();
  }, 120_000);
});
