import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { addEnvelopes, sendEnvelope, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { type Server, startApp, withFolder } from "../harness/process";
import { rate } from "../harness/rate";
import type { Row } from "../harness/row";

/** What counting costs the recipient's request: the app with METRICS_TOKEN beside the app without. */
export const metrics: Row = () =>
  withFolder(async (folder) => {
    const start = async (name: string, variables: Record<string, string>) => {
      const own = join(folder, name);
      await mkdir(own);
      const app = await startApp(own, variables);
      const owner = await signUp(app.url, "owner@example.com");
      await addEnvelopes(own, owner, 1000);
      const token = await sendEnvelope(owner, ["Passport", "Proof of address"]);
      return { app, path: `/api/submissions/${token}` };
    };
    const without = await start("without", {});
    const counted = await start("counted", { METRICS_TOKEN: "a-token-for-the-bench" });
    const measure = ({ app, path }: { app: Server; path: string }) => rate(app, { path });
    const measured = await compare(
      15,
      () => measure(without),
      () => measure(counted),
    );
    await Promise.all([without.app.stop(), counted.app.stop()]);
    return [
      {
        what: "GET /api/submissions/{token} with METRICS_TOKEN",
        unit: "req per CPU s",
        value: measured.value,
        baseline: { name: "the same without", value: measured.baseline },
        goal: { of: "ratio", atLeast: 0.99 },
      },
    ];
  });
