import { expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import * as fc from "fast-check";
import { describeApi } from "../support/api/client";
import { DOCUMENT } from "../support/api/described";
import { describedCalls } from "../support/api/described-calls";
import { sendEnvelope } from "../support/api/envelopes";
import { rounds } from "../support/runtime/runtime";

const operations = Object.values(DOCUMENT.paths).flatMap((path) => Object.values(path));

describeApi("the OpenAPI document", (api) => {
  test("is valid by an independent validator, and has the app's origin", async () => {
    const { status, body, headers } = await api.anonymous().get("/api/openapi.json");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(body.openapi).toBe("3.1.0");
    expect(body.servers).toEqual([{ url: api.origin }]);
    const { valid, errors } = await new Validator().validate(body);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test("and its page are not sent again to a client that has them", async () => {
    for (const path of ["/api/openapi.json", "/api/docs", "/api/docs/style.css"]) {
      const etag = (await api.anonymous().get(path)).headers.get("etag") ?? "";
      const again = await api.anonymous().get(path, { "If-None-Match": etag });
      expect([path, again.status, again.text]).toEqual([path, 304, ""]);
      expect(again.headers.get("etag")).toBe(etag);
      const changed = await api.anonymous().get(path, { "If-None-Match": 'W/"other"' });
      expect(changed.status).toBe(200);
    }
  });
});

describeApi("the page that shows the OpenAPI document", (api) => {
  test("describes every operation, and the page loads only its own style sheet", async () => {
    const { status, text, headers } = await api.anonymous().get("/api/docs");
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
    for (const { operationId } of operations) expect(text).toContain(`<article id="${operationId}">`);
    expect(text).not.toContain("[object Object]");
    expect(text).not.toContain("undefined");
    expect(headers.get("content-security-policy")).toStartWith("default-src 'none'; style-src 'self';");
    expect([...text.matchAll(/<(?:script|img|iframe|style)|style=|https?:\/\/(?!localhost)/g)]).toEqual([]);
    const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !text.includes(`id="${id}"`))).toEqual([]);
    const style = await api.anonymous().get("/api/docs/style.css");
    expect([style.status, style.headers.get("content-type")]).toEqual([200, "text/css; charset=utf-8"]);
  });
});

test("each operation has a unique operationId", () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
});

/** These end the account or its session. */
const ENDING = ["DELETE /api/user/account", "POST /api/logout", "POST /api/login", "POST /api/register"];
const SEED = Number(process.env.FUZZ_SEED ?? 20260314);
const CALLS = Number(process.env.FUZZ_DESCRIBED ?? rounds(8));

describeApi("random calls from the OpenAPI document", (api) => {
  test(`${CALLS} random requests per operation never fail, and every response matches the document`, async () => {
    const alice = await api.signUp();
    const envelope = await sendEnvelope(alice);
    const known = [String(envelope.id), envelope.submissionToken, "1", "2"];
    const calls = describedCalls(known).filter(({ name }) => !ENDING.includes(name));
    expect(calls.length).toBeGreaterThan(60);
    for (const { name, calls: arbitrary } of calls)
      for (const call of fc.sample(arbitrary, { numRuns: CALLS, seed: SEED })) {
        const client = Object.assign(api.anonymous(), { cookie: alice.cookie });
        // The test client itself validates each response against the document.
        const { status } = await client.send(call.method, call.path, call.body, call.headers);
        if (status >= 500) throw new Error(`${name} answered ${status} to ${JSON.stringify(call)}`);
      }
  }, 240_000);
});
