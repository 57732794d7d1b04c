import { afterAll, expect, test } from "bun:test";
import { serve } from "bun";
import { acceptableQuery } from "../../web/features/envelopes/bulk/accept.queries";
import { NO_INPUT, planAction, runAction } from "../../web/features/envelopes/bulk/bulk-actions";
import type { EnvelopeRow } from "../../worker/contract/envelopes";

const realFetch = globalThis.fetch;
afterAll(() => {
  globalThis.fetch = realFetch;
});

test("a bulk action that reaches the account's limit of changes waits and goes on", async () => {
  const deleted: string[] = [];
  let rejections = 0;
  const server = serve({
    port: 0,
    fetch(request) {
      if (deleted.length === 3 && rejections < 2) {
        rejections += 1;
        const body = { code: "too_many_changes", message: "Later", params: { limit: 600 } };
        return Response.json(body, { status: 429, headers: { "Retry-After": "0" } });
      }
      deleted.push(new URL(request.url).pathname);
      return new Response(null, { status: 204 });
    },
  });
  globalThis.fetch = Object.assign(
    (input: RequestInfo | URL, init?: RequestInit) =>
      realFetch(new URL(new URL(String(input)).pathname, server.url), init),
    { preconnect: realFetch.preconnect },
  );
  const envelopes = Array.from({ length: 6 }, (_, index) => ({ id: index + 1 }) as EnvelopeRow);
  const { signal } = new AbortController();
  const result = await runAction("delete", envelopes, { onProgress: () => {}, signal, input: NO_INPUT });
  await server.stop(true);
  expect(result).toEqual({ done: 6, failures: [], stopped: 0 });
  expect([deleted.toSorted(), rejections]).toEqual([envelopes.map(({ id }) => `/api/requests/${id}`), 2]);
});

test("what can be accepted is read to the end, although the envelopes are more than a page's bytes", async () => {
  const document = { id: 1, name: "Passport", state: "received", files: 1, opened: 0, toReview: true };
  const server = serve({
    port: 0,
    fetch(request) {
      const { origin, searchParams } = new URL(request.url);
      const id = Number(searchParams.get("cursor") ?? 1);
      const link = `<${origin}/api/requests?cursor=${id + 1}>; rel="next"`;
      return Response.json([{ id, documents: [document] }], { headers: id < 3 ? { Link: link } : {} });
    },
  });
  globalThis.fetch = Object.assign(
    (input: RequestInfo | URL) => {
      const { pathname, search } = new URL(String(input));
      return realFetch(new URL(pathname + search, server.url));
    },
    { preconnect: realFetch.preconnect },
  );
  // Nothing was requested before the script, as home does.
  Object.assign(globalThis, { window: {} });
  const read = acceptableQuery([1, 2, 3]).queryFn as unknown as () => Promise<{ files: number }>;
  const { files } = await read().finally(() => Reflect.deleteProperty(globalThis, "window"));
  await server.stop(true);
  expect(files).toBe(3);
});

test("who was reminded within 24 hours is left out of reminders only", () => {
  const row = { status: "pending", assigneeId: 1, toReview: 1, files: 1 };
  const remindedAt = [null, new Date().toISOString()];
  const envelopes = remindedAt.map((at, index) => ({ ...row, id: index + 1, remindedAt: at }) as EnvelopeRow);
  const affected = (action: Parameters<typeof planAction>[0]) =>
    planAction(action, envelopes, { ...NO_INPUT, leavesOutReminded: true }).affected.length;
  expect(affected("remind")).toBe(1);
  for (const action of ["due", "assign", "accept", "download", "delete"] as const)
    expect([action, affected(action)]).toEqual([action, 2]);
});
