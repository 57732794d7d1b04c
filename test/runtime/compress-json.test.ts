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

test("what has an entity tag is compressed once, and a client that has it still gets nothing", async () => {
  const tagged = (etag: string, rows: number) => {
    const response = answer(rows);
    response.headers.set("ETag", etag);
    return response;
  };
  const first = await (await compressed(GZIP, tagged('W/"a"', 200))).bytes();
  const again = tagged('W/"a"', 200);
  expect(await (await compressed(GZIP, again)).bytes()).toEqual(first);
  expect(again.bodyUsed).toBe(false);
  expect(await (await compressed(GZIP, tagged('W/"b"', 300))).bytes()).not.toEqual(first);
  const headers = { "Content-Type": "application/json", ETag: 'W/"b"' };
  const unchanged = await compressed(GZIP, new Response(null, { status: 304, headers }));
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
});
