import { sendEnvelope, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { type Server, startApp, startBaseline, withFolder } from "../harness/process";
import type { Finding, Row } from "../harness/row";
import { emptyUploads, makeFile, upload, uploadRaw } from "../harness/upload";

const MB = 1024 * 1024;
const AT_ONCE = 20;

/** One file of 500 MiB and 50 of 1 MiB beside bare writers that fsync too; and the memory that takes. */
export const uploads: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder, { MAX_FILE_MB: "1000" });
    const bare = await startBaseline("upload", folder);
    const owner = await signUp(app.url, "owner@example.com");
    const link = async (names: string[]) => `${app.url}/api/submissions/${await sendEnvelope(owner, names)}`;
    const large = await makeFile(folder, 500 * MB);
    const small = await makeFile(folder, MB);
    const fifty = Array.from({ length: 50 }, (_, index) => `Document ${index + 1}`);
    const findings: Finding[] = [];
    const add = async (
      what: string,
      name: string,
      goal: number | undefined,
      pair: ReturnType<typeof compare>,
    ) => {
      const { value, baseline } = await pair;
      findings.push({
        what,
        unit: "MB/s",
        value,
        baseline: { name, value: baseline },
        goal: goal === undefined ? undefined : { of: "ratio", atLeast: goal },
      });
    };
    /** The most that either process holds during the work, over what it held before. */
    const memory = async (what: string, work: () => Promise<unknown>, bareWork: () => Promise<unknown>) => {
      const over = async (server: Server, run: () => Promise<unknown>) => {
        await server.forgetPeak();
        const before = (await server.memory()).now;
        await run();
        return (await server.memory()).peak - before;
      };
      const baseline = { name: "MB, bare multipart", value: await over(bare, bareWork) };
      const goal = { of: "value", atMost: 60 } as const;
      return { what, unit: "MB", value: await over(app, work), baseline, goal };
    };
    const once = async () => {
      const speed = await upload(await link(["One"]), large, ["One"]);
      await emptyUploads(folder);
      return speed;
    };
    const bareOnce = async () => {
      const speed = await upload(`${bare.url}/multipart`, large, ["One"]);
      await emptyUploads(folder);
      return speed;
    };
    const bareRaw = async () => {
      const speed = await uploadRaw(`${bare.url}/raw`, large);
      await emptyUploads(folder);
      return speed;
    };
    findings.push(await memory("Memory during 500 MiB, over before", once, bareOnce));
    await add("One file of 500 MiB", "bare multipart, fsync", 0.8, compare(3, bareOnce, once, 0));
    findings.push({
      what: "The same",
      unit: "MB/s",
      value: await once(),
      baseline: { name: "bare stream, fsync", value: await bareRaw() },
    });
    await add(
      "50 files of 1 MiB",
      "bare multipart, fsync",
      0.7,
      compare(
        5,
        () => upload(`${bare.url}/multipart`, small, fifty),
        async () => upload(await link(fifty), small, fifty),
      ),
    );
    const hundred = await makeFile(folder, 100 * MB);
    const links = await Promise.all(Array.from({ length: AT_ONCE }, () => link(["One"])));
    findings.push(
      await memory(
        `Memory during ${AT_ONCE} of 100 MiB at once, over before`,
        () => Promise.all(links.map((url) => upload(url, hundred, ["One"]))),
        () => Promise.all(links.map(() => upload(`${bare.url}/multipart`, hundred, ["One"]))),
      ),
    );
    await Promise.all([app.stop(), bare.stop()]);
    return findings;
  });
