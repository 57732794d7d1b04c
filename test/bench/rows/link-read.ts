import { addEnvelopes, sendEnvelope, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { generateLoad } from "../harness/load";
import { mirror } from "../harness/mirror";
import { type Server, startApp, startBaseline, withFolder } from "../harness/process";
import { rate } from "../harness/rate";
import type { Finding, Row } from "../harness/row";

const CONNECTIONS = 10;
/** The app's code is compiled after twenty thousand responses. */
const WARM_UPS = 5;

/** The recipient's request: an envelope by its token, beside one bare row of the same bytes. */
export const linkRead: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const owner = await signUp(app.url, "owner@example.com");
    await addEnvelopes(folder, owner, 1000);
    const token = await sendEnvelope(owner, ["Passport", "Proof of address"]);
    const path = `/api/submissions/${token}`;
    const response = await (await fetch(app.url + path)).json();
    await mirror(folder, "one", [{ token: "a".repeat(43), name: "", content: response }]);
    const bare = await startBaseline("rows", folder);
    const barePath = `/one/${"a".repeat(43)}`;
    const ofProcessor = await compare(
      5,
      () => rate(bare, { path: barePath, connections: CONNECTIONS }),
      () => rate(app, { path, connections: CONNECTIONS }),
      WARM_UPS,
    );
    const bySecond = await compare(
      5,
      () => perSecond(bare, barePath),
      () => perSecond(app, path),
    );
    await Promise.all([app.stop(), bare.stop()]);
    return [finding("req per CPU s", ofProcessor), finding("req/s, 10 connections", bySecond)];
  });

const finding = (unit: string, { value, baseline }: { value: number; baseline: number }): Finding => ({
  what: "GET /api/submissions/{token}",
  unit,
  value,
  baseline: { name: "bare Hono + libSQL, one row", value: baseline },
  goal: { of: "ratio", atLeast: 0.85 },
});

async function perSecond({ url }: Server, path: string): Promise<number> {
  const { count } = await generateLoad(url, { path, connections: CONNECTIONS, milliseconds: 600 });
  return count;
}
