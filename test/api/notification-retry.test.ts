import { afterAll, beforeAll, expect, test } from "bun:test";
import { DELIVERY_FAILURES } from "../../worker/contract/notifications";
import { DeliveryError, type Mail } from "../../worker/ports/mailer";
import type { createMemoryLogger } from "../support/memory/memory-logger";
import { startBunRuntime } from "../support/runtime/bun-runtime";

type Runtime = Awaited<ReturnType<typeof startBunRuntime>>;

const ENVELOPE = {
  recipientName: "Rita",
  recipientEmail: "wrong@example.com",
  subject: "Papers",
  documents: [{ name: "Contract" }],
};

const INSIDE = "relay.inside.example:2525";
/** What a mailer may throw, and the part of it that the owner of an envelope may see. */
const FAILURES = [
  { failure: "refused", error: new DeliveryError(`550 by ${INSIDE}`, { permanent: true }) },
  { failure: "postponed", error: new DeliveryError(`451 by ${INSIDE}`, { permanent: false }) },
  {
    failure: "unreachable",
    error: new DeliveryError(`ECONNREFUSED ${INSIDE}`, { permanent: false, outage: true }),
  },
  {
    failure: "not_configured",
    error: new DeliveryError(`No ${INSIDE}`, { permanent: false, outage: true, unset: true }),
  },
  { failure: "internal", error: new TypeError(`Cannot read ${INSIDE}`) },
] as const;

let runtime: Runtime;
let cookie = "";
const sent: Mail[] = [];

beforeAll(async () => {
  runtime = await startBunRuntime({ rateLimits: "on", variables: { UNVERIFIED_ENVELOPES: "100" } });
  runtime.deps.mailer = {
    async send(mail) {
      if (mail.to === "wrong@example.com") throw new DeliveryError("550 no such user", { permanent: true });
      const failure = FAILURES.find(({ failure }) => mail.to === `${failure}@example.com`);
      if (failure) throw failure.error;
      sent.push(mail);
    },
  };
  const { headers } = await call("POST", "/api/register", {
    email: "ada@example.com",
    password: "long enough",
  });
  cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
});
afterAll(() => runtime.stop());

async function call(method: string, path: string, body?: object) {
  const headers = { cookie, ...(body && { "content-type": "application/json" }) };
  const request = new Request(`${runtime.origin}${path}`, { method, headers, body: JSON.stringify(body) });
  const response = await runtime.fetch(request);
  const answer = { status: response.status, headers: response.headers, body: await response.json() };
  await runtime.finishBackgroundWork();
  return answer;
}

test("the owner sees why a message failed, corrects the address and resends it", async () => {
  const { body: envelope } = await call("POST", "/api/requests", ENVELOPE);
  const path = `/api/requests/${envelope.id}/notifications`;
  const { body } = await call("GET", path);
  expect(body).toMatchObject([
    {
      kind: "invitation",
      status: "failed",
      attempts: 1,
      lastError: "The message was rejected. Please check the address",
      sentAt: null,
    },
  ]);
  const retry = `${path}/${body[0].id}/retry`;
  expect((await call("POST", retry)).status).toBe(200);
  expect((await call("GET", path)).body).toMatchObject([{ status: "failed", attempts: 1 }]);

  await call("PUT", `/api/requests/${envelope.id}`, { ...ENVELOPE, recipientEmail: "rita@example.com" });
  const again = await call("POST", retry);
  expect(again).toMatchObject({ status: 200, body: { id: body[0].id, recipient: "rita@example.com" } });
  const mails = sent.filter(({ to }) => to === "rita@example.com");
  // The address is new to the envelope, so the change also sends an invitation.
  expect(mails.map(({ subject }) => subject)).toEqual(["Papers", "Papers"]);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2);
  expect((await call("GET", path)).body).toMatchObject([{ status: "sent" }, { status: "sent" }]);
});

test.each(FAILURES)("$failure is what the API reports; only the log has the text", async ({ failure }) => {
  const recipientEmail = `${failure}@example.com`;
  const { body: envelope } = await call("POST", "/api/requests", { ...ENVELOPE, recipientEmail });
  const { body: timeline } = await call("GET", `/api/requests/${envelope.id}/timeline`);
  expect(timeline.at(-1)).toMatchObject({ kind: "delivery", error: failure });
  const { body: notifications } = await call("GET", `/api/requests/${envelope.id}/notifications`);
  expect(notifications).toMatchObject([{ lastError: DELIVERY_FAILURES[failure] }]);
  expect(JSON.stringify([timeline, notifications])).not.toContain(INSIDE);
  const log = runtime.deps.log as ReturnType<typeof createMemoryLogger>;
  expect(JSON.stringify(log.entries)).toContain(INSIDE);
});
