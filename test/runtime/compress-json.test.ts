import { expect, test } from "bun:test";
import { compressJson } from "../../worker/adapters/bun/listen";

const GZIP = { "Accept-Encoding": "gzip, br" };
const answer = (rows: number) => Response.json(Array(rows).fill({ title: "Document Request" }));
const compressed = (headers: Record<string, string>, response: Response) =>
  compressJson(new Request("http://localhost/api/requests", { headers }), response);

test("a long list is compressed without changing its content", async () => {
  const response = await compressed(GZIP, answer(200));
  expect(response.headers.get("Content-Encoding")).toBe("gzip");
  expect(response.headers.get("Vary")).toContain("Accept-Encoding");
  const bytes = await response.bytes();
  expect(bytes.length).toBeLessThan(1000);
  expect(JSON.parse(new TextDecoder().decode(Bun.gunzipSync(bytes)))).toHaveLength(200);
});

test("short responses, files and clients without gzip are not compressed", async () => {
  const file = new Response("x".repeat(5000), { headers: { "Content-Type": "application/pdf" } });
  const cases = [
    await compressed(GZIP, answer(1)),
    await compressed({}, answer(200)),
    await compressed(GZIP, file),
  ];
  for (const response of cases) expect(response.headers.get("Content-Encoding")).toBeNull();
  expect(await cases[0]?.json()).toHaveLength(1);
});
