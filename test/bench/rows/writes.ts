import { envelope, sendEnvelope, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { startApp, startBaseline, withFolder } from "../harness/process";
import { type Finding, median, type Row } from "../harness/row";
import { makeFile, upload } from "../harness/upload";

const DOCUMENTS = ["Passport", "Proof of address", "Contract"];
const TIMES = 7;
const PAUSE_MS = 80;
/** A server that has run for an hour has its code compiled. */
const BEFORE = 100;

/** Creating an envelope and submitting three small files, beside the same batch and fsyncs alone. */
export const writes: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const bare = await startBaseline("writes", folder);
    const owner = await signUp(app.url, "owner@example.com");
    const path = await makeFile(folder, 100 * 1024);
    const body = JSON.stringify(envelope(DOCUMENTS));
    for (let time = 0; time < BEFORE; time += 1) {
      await fetch(`${bare.url}/create`, { method: "POST", body });
      const link = await sendEnvelope(owner, DOCUMENTS);
      await upload(`${bare.url}/files`, path, DOCUMENTS);
      await upload(`${app.url}/api/submissions/${link}`, path, DOCUMENTS);
    }
    const created = await compare(
      5,
      () => each(() => fetch(`${bare.url}/create`, { method: "POST", body })),
      () => each(() => sendEnvelope(owner, DOCUMENTS)),
    );
    const submitted = await compare(
      5,
      async () => {
        await fetch(`${bare.url}/create`, { method: "POST", body });
        return each(() => upload(`${bare.url}/files`, path, DOCUMENTS));
      },
      async () => {
        const links: string[] = [];
        for (let time = 0; time < TIMES; time += 1) links.push(await sendEnvelope(owner, DOCUMENTS));
        return each((time) => upload(`${app.url}/api/submissions/${links[time]}`, path, DOCUMENTS));
      },
    );
    await Promise.all([app.stop(), bare.stop()]);
    return [
      finding("Creating an envelope", "its batch alone", created),
      finding("Submitting 3 small files", "their fsyncs and batch alone", submitted),
    ];
  });

const finding = (what: string, name: string, pair: { value: number; baseline: number }): Finding => ({
  what,
  unit: "ms",
  value: pair.value,
  baseline: { name, value: pair.baseline },
  goal: { of: "ratio", atMost: 2 },
});

/** The median of many runs, in ms. */
async function each(work: (time: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    // Work that the previous one left behind, such as its mail, is not measured.
    await Bun.sleep(PAUSE_MS);
    const started = performance.now();
    await work(time);
    times.push(performance.now() - started);
  }
  return median(times);
}
