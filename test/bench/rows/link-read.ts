import { addEnvelopes, sendEnvelope, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { mirror } from "../harness/mirror";
import { startApp, startBaseline, withFolder } from "../harness/process";
import { rate } from "../harness/rate";
import type { Row } from "../harness/row";

/** The recipient's request: an envelope by its token, beside one bare row of the same bytes. */
export const linkRead: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const owner = await signUp(app.url, "owner@example.com");
    await addEnvelopes(folder, owner, 1000);
    const token = await sendEnvelope(owner, ["Passport", "Proof of address"]);
    const path = `/api/submissions/${token}`;
    const response = await (await fetch(app.url + path)).json();
    await mirror(folder, "one", [{ token: "a".repeat(43), ...response }]);
    const bare = await startBaseline("rows", folder);
    const measured = await compare(
      5,
      () => rate(bare, { path: `/one/${"a".repeat(43)}` }),
      () => rate(app, { path }),
    );
    await Promise.all([app.stop(), bare.stop()]);
    return [
      {
        what: "GET /api/submissions/{token}",
        unit: "req per CPU s",
        value: measured.value,
        baseline: { name: "bare Hono + libSQL, one row", value: measured.baseline },
        goal: { of: "ratio", atLeast: 0.7 },
      },
    ];
  });
