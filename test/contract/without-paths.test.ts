import { expect, test } from "bun:test";
import { printWithoutPaths } from "../../worker/cli/cloudflare/wrangler";

test("wrangler's request lines are not printed, however they are chunked, and all others are", async () => {
  const lines = [
    "[wrangler:info] Ready on http://127.0.0.1:3000",
    "[wrangler:info] GET /api/submissions/secret-token 200 OK (5ms)",
    '{"time":"2026-03-14T09:26:53.589Z","level":"info","event":"request","method":"GET","route":"/api/submissions/:token"}',
    "\u001b[32m[wrangler:info]\u001b[39m \u001b[1mPOST\u001b[22m /api/submissions/secret-token 201 Created",
    "[wrangler:warn] GET it working",
    "[wrangler:info] HEAD /submit/secret-token 200 OK (1ms)",
  ];
  for (const size of [1, 7, 1000]) {
    const bytes = new TextEncoder().encode(lines.join("\n"));
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    let printed = "";
    await printWithoutPaths(new Blob(chunks).stream(), (text) => {
      printed += text;
    });
    expect(printed.trimEnd().split("\n")).toEqual([0, 2, 4].map((index) => lines[index] ?? ""));
  }
});
