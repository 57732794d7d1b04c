import { sendEnvelope, signUp } from "../harness/account";
import { memoryOver, startApp, withFolder } from "../harness/process";
import type { Row } from "../harness/row";
import { makeFile, upload } from "../harness/upload";

const MB = 1024 * 1024;
const FILE_MB = 512;
const DOCUMENTS = ["One", "Two", "Three", "Four"];

/** The archive of an envelope with 2 GB of files: its speed, and the server's memory meanwhile. */
export const zip: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder, { MAX_FILE_MB: "1000", MAX_ENVELOPE_MB: "4000" });
    const owner = await signUp(app.url, "owner@example.com");
    const link = await sendEnvelope(owner, DOCUMENTS);
    await upload(`${app.url}/api/submissions/${link}`, await makeFile(folder, FILE_MB * MB), DOCUMENTS);
    const [{ id, submissions }] = await (await owner.send("GET", "/api/requests")).json();
    const drain = async (path: string) => {
      let bytes = 0;
      const started = performance.now();
      for await (const chunk of (await owner.send("GET", path)).body ?? []) bytes += chunk.length;
      return { bytes, speed: bytes / MB / ((performance.now() - started) / 1000) };
    };
    const plain = await drain(submissions[0].url);
    let archive = { bytes: 0, speed: 0 };
    const memory = await memoryOver(app, async () => {
      archive = await drain(`/api/requests/${id}/files.zip`);
    });
    if (archive.bytes < DOCUMENTS.length * FILE_MB * MB) throw new Error("The archive is not whole");
    await app.stop();
    const what = "Archive of four files, 2 GiB";
    return [
      {
        ...{ what, unit: "MB/s", value: archive.speed },
        baseline: { name: "one of the files alone", value: plain.speed },
      },
      { what: "Memory during it, over before", unit: "MB", value: memory, goal: { of: "value", atMost: 60 } },
    ];
  });
