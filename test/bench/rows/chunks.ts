import { file } from "bun";
import { sendEnvelope, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { startApp, withFolder } from "../harness/process";
import type { Finding, Row } from "../harness/row";
import { emptyUploads, makeFile, upload } from "../harness/upload";

const MB = 1024 * 1024;
const CHUNK = 8 * MB;
const LONG = 5000;
const TUS = { "Tus-Resumable": "1.0.0" };

/** One file of 500 MiB in chunks of 8 MiB beside the one-shot call, and the memory that 5 GB take. */
export const chunks: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder, { MAX_FILE_MB: "10000", MAX_ENVELOPE_MB: "10000" });
    const owner = await signUp(app.url, "owner@example.com");
    const link = async () => `${app.url}/api/submissions/${await sendEnvelope(owner, ["One"])}`;
    const path = await makeFile(folder, 500 * MB);
    const oneShot = async () => {
      const speed = await upload(await link(), path, ["One"]);
      await emptyUploads(folder);
      return speed;
    };
    const chunked = async () => {
      const speed = await uploadInChunks(await link(), 500 * MB, path);
      await emptyUploads(folder);
      return speed;
    };
    const findings: Finding[] = [];
    const { value, baseline } = await compare(3, oneShot, chunked, 0);
    findings.push({
      what: "One file of 500 MiB in chunks of 8 MiB",
      unit: "MB/s",
      value,
      baseline: { name: "MB/s, one-shot call", value: baseline },
      goal: { of: "ratio", atLeast: 0.8 },
    });
    const before = await app.memory();
    await app.forgetPeak();
    await uploadInChunks(await link(), LONG * MB, path);
    const { peak } = await app.memory();
    findings.push({
      what: "Memory during 5 GB in chunks of 8 MiB, over idle",
      unit: "MB",
      value: peak - before.now,
      goal: { of: "value", atMost: 60 },
    });
    await app.stop();
    return findings;
  });

/** Sends the file by tus repeatedly until this many bytes were sent. @returns MB per second */
async function uploadInChunks(link: string, bytes: number, path: string): Promise<number> {
  const { documents } = await (await fetch(link)).json();
  const metadata = [`document ${btoa(String(documents[0].id))}`, `filename ${btoa("file.pdf")}`].join(",");
  const started = performance.now();
  const created = await fetch(`${link}/uploads`, {
    method: "POST",
    headers: { ...TUS, "Upload-Length": String(bytes), "Upload-Metadata": metadata },
  });
  const url = new URL(created.headers.get("location") ?? "", link);
  const size = file(path).size;
  for (let offset = 0; offset < bytes; offset += CHUNK) {
    const at = offset % size;
    const length = Math.min(CHUNK, bytes - offset, size - at);
    const response = await fetch(url, {
      method: "PATCH",
      headers: {
        ...TUS,
        "Content-Type": "application/offset+octet-stream",
        "Upload-Offset": String(offset),
      },
      body: file(path).slice(at, at + length),
    });
    if (response.status !== 204) throw new Error(`A chunk was rejected: ${await response.text()}`);
    offset -= CHUNK - length;
  }
  const submitted = await fetch(`${link}/submit`, { method: "POST" });
  if (!submitted.ok) throw new Error(`Not submitted: ${await submitted.text()}`);
  return bytes / MB / ((performance.now() - started) / 1000);
}
