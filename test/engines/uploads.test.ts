import { afterAll, beforeAll, expect } from "bun:test";
import { join } from "node:path";
import { write } from "bun";
import { startBunSite } from "../support/browser/browser";
import { inOtherEngines } from "../support/engines/in-engine";
import { button, byRole, type EnginePage, heading, openPage, text } from "../support/engines/page";
import { isTrue, until } from "../support/engines/until";
import { docxFile, largePdfFile, pdfFile, sha256 } from "../support/files/files";
import { type CuttableProxy, startCuttableProxy } from "../support/servers/cuttable-proxy";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

const MIB = 1024 * 1024;
const FILES = {
  january: pdfFile("january.pdf", "January"),
  february: pdfFile("february.pdf", "February"),
  contract: largePdfFile(3 * MIB, "contract.pdf"),
  wrong: docxFile("wrong.docx"),
};
const DOCUMENTS = [
  { name: "Contract", required: true, allowedFileTypes: ["pdf"] },
  { name: "Payslips", required: true, multiple: true },
  { name: "Cover letter" },
];

type Envelope = {
  id: number;
  submissionToken: string;
  submissions: { fileName: string; sha256: string }[];
  documents: { name: string; state: string; reason: string | null }[];
};

const folder = makeFolder();
let proxy: CuttableProxy;
let server: Awaited<ReturnType<typeof startBunSite>>;
beforeAll(async () => {
  for (const file of Object.values(FILES)) await write(join(folder, file.name), file);
  proxy = await startCuttableProxy();
  server = await startBunSite({ publicUrl: proxy.url });
  proxy.restore(server.url);
}, 120_000);
afterAll(async () => {
  await server.stop();
  proxy.stop();
}, 120_000);

const pathsOf = (...files: File[]) => files.map(({ name }) => join(folder, name));

inOtherEngines((test, name) => {
  test("a document is skipped, a file rejected, an interrupted upload continued by itself, and several files sent", async (engine) => {
    // An earlier attempt may have cut it.
    proxy.restore();
    const page = await openPage(await engine.open(), proxy.url);
    const { id, submissionToken } = await sendEnvelope(page);
    await enterInformation(page, submissionToken);

    await page.click(byRole("checkbox", "I don't have this"));
    await page.fill("Reason (optional)", "It was never written.");
    await page.choose("input[type=file]", ...pathsOf(FILES.wrong));
    await page.see(text(/“wrong.docx” cannot be used here/));
    const uploadId = await cutDuringContract(page, submissionToken);
    await page.see(text("Waiting for the connection"));
    expect(await page.layoutProblems()).toEqual([]);
    proxy.restore();
    await page.see(button("Replace file for Contract"));

    await page.choose("input[type=file][multiple]", ...pathsOf(FILES.january, FILES.february));
    await page.see(button("Remove january.pdf from Payslips"));
    await page.see(button("Remove february.pdf from Payslips"));
    await waitFor("all files", async () => {
      const documents = await progressOf(submissionToken);
      expect(documents[0]?.files[0]?.id).toBe(uploadId);
      return documents.slice(0, 2).every(({ state }) => state === "uploaded");
    });
    expect(await page.layoutProblems()).toEqual([]);
    await submit(page);

    const { submissions, documents } = await page.api<Envelope>("GET", `/api/requests/${id}`);
    const sent = [FILES.contract, FILES.january, FILES.february];
    expect(submissions.map(({ fileName, sha256 }) => [fileName, sha256]).toSorted()).toEqual(
      (await Promise.all(sent.map(async (file) => [file.name, await sha256(file)]))).toSorted(),
    );
    expect(documents[2]).toMatchObject({ state: "skipped", reason: "It was never written." });
    await page.tab.close();
  }, 120_000);

  test("the sign-in page works again after an outage, during which one of its scripts failed", async (engine) => {
    proxy.restore();
    const page = await openPage(await engine.open(), proxy.url);
    await page.goto("/auth");
    proxy.cut();
    await page.click(button("Sign In"));
    // Requested after the script, so that it has failed when this does.
    expect(await page.tab.evaluate(`fetch("/api/live").then(() => "served", () => "failed")`)).toBe("failed");
    proxy.restore();
    // Firefox does not request it again, so the page is reloaded.
    if (name === "firefox") {
      await until(
        () => page.tab.evaluate(RELOADED),
        (reloaded) => reloaded === "true",
      );
      await until(() => page.call("isHydrated"), isTrue);
      await page.click(button("Sign In"));
    }
    await page.see(text("Invalid email address"));
    await page.tab.close();
  }, 120_000);
});

/** Whether the page was reloaded and is complete. */
const RELOADED = `Promise.resolve(String(
  performance.getEntriesByType("navigation")[0].type === "reload" && document.readyState === "complete",
))`;

async function sendEnvelope(page: EnginePage): Promise<Envelope> {
  await page.resize(390, 844);
  await page.goto("/robots.txt");
  const account = { email: `${crypto.randomUUID()}@example.com`, password: "correct horse" };
  await page.api("POST", "/api/register", account);
  return page.api("POST", "/api/requests", {
    recipientName: "Grace Hopper",
    recipientEmail: "grace@example.com",
    subject: "Papers for your account",
    documents: DOCUMENTS,
  });
}

async function enterInformation(page: EnginePage, token: string): Promise<void> {
  await page.goto(`/submit/${token}`);
  await page.fill("Name", "Grace Hopper");
  await page.fill("Email", "grace@example.com");
  await page.click(button("Next"));
  await page.see(heading("Upload Documents"));
}

/** Chooses the contract and cuts the connection within it. @returns the id of its upload */
async function cutDuringContract(page: EnginePage, token: string): Promise<string> {
  proxy.cutAfter(MIB);
  await page.choose("input[type=file]", ...pathsOf(FILES.contract));
  const { id, uploadedBytes } = await waitFor("some bytes", async () => {
    const file = (await progressOf(token))[0]?.files[0];
    return file && file.uploadedBytes > 0 ? file : undefined;
  });
  expect(uploadedBytes).toBeLessThan(3 * MIB);
  return id;
}

type Progress = { state: string; files: { id: string; uploadedBytes: number }[] }[];

/** The server's state, read without the proxy. */
async function progressOf(token: string): Promise<Progress> {
  return (await (await fetch(`${server.url}/api/submissions/${token}`)).json()).documents;
}

async function submit(page: EnginePage): Promise<void> {
  await page.click(button("Next"));
  await page.see(heading("Review & Submit"));
  await page.see(text("I don't have this: It was never written."));
  await page.fill(/^Note to /, "See you on Friday.");
  expect(await page.layoutProblems()).toEqual([]);
  await page.click(button("Submit Documents"));
  await page.see(heading("Submission Complete"));
  expect(await page.layoutProblems()).toEqual([]);
}
