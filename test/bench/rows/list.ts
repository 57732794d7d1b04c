import { addEnvelopes, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { mirror } from "../harness/mirror";
import { startApp, startBaseline, withFolder } from "../harness/process";
import { rate } from "../harness/rate";
import type { Row } from "../harness/row";

const PATH = "/api/requests?limit=200";

/** A page of 200 envelopes with contacts, documents and files, beside 200 bare rows of the same bytes. */
export const list: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const owner = await signUp(app.url, "owner@example.com");
    await addEnvelopes(folder, owner, 1000);
    const rows = await (await owner.send("GET", PATH)).json();
    await mirror(folder, "many", rows);
    const bare = await startBaseline("rows", folder);
    const measured = await compare(
      5,
      () => rate(bare, { path: "/many" }),
      () => rate(app, { path: PATH, cookie: owner.cookie }),
    );
    await Promise.all([app.stop(), bare.stop()]);
    return [
      {
        what: "GET /api/requests, 200 rows",
        unit: "req per CPU s",
        value: measured.value,
        baseline: { name: "bare Hono + libSQL, 200 rows", value: measured.baseline },
        goal: { of: "ratio", atLeast: 0.5 },
      },
    ];
  });
