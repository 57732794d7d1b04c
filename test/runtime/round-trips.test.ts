import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { form } from "../support/envelopes";
import { pdfFile } from "../support/files";
import { startInstance, type WorkerdInstance } from "../support/workerd";

setDefaultTimeout(30_000);

/** How many round trips a request needs; D1 may be an ocean away. */

let instance: WorkerdInstance;
let cookie = "";

beforeAll(async () => {
  instance = await startInstance({ rateLimits: "on", variables: { UNVERIFIED_ENVELOPES: "100" } });
  const account = await send("POST", "/api/register", {
    email: "far@example.com",
    password: "correct horse",
  });
  cookie = account.headers.get("set-cookie")?.split(";")[0] ?? "";
});

function send(method: string, path: string, body?: object): Promise<Response> {
  const headers = new Headers({ cookie });
  const isForm = body instanceof FormData;
  if (body && !isForm) headers.set("content-type", "application/json");
  const sent = isForm ? body : body && JSON.stringify(body);
  return instance.fetch(new Request(instance.publicUrl + path, { method, headers, body: sent }));
}

/** The round trips of the request and of its background work. */
async function roundTripsOf(request: () => Promise<Response>): Promise<{ trips: number; answer: Response }> {
  await instance.command("finishBackgroundWork");
  const before = await instance.command("roundTrips");
  const answer = await request();
  expect(answer.ok).toBe(true);
  await instance.command("finishBackgroundWork");
  return { trips: (await instance.command("roundTrips")) - before, answer };
}

async function ask(): Promise<string> {
  const answer = await send("POST", "/api/requests", {
    recipientName: "Rita Recipient",
    recipientEmail: "rita@example.com",
    subject: "Papers",
    documents: [{ name: "Contract", required: true }, { name: "Letter" }],
  });
  return `/api/submissions/${(await answer.json()).submissionToken}`;
}

test("a recipient's link needs one round trip", async () => {
  const link = await ask();
  expect((await roundTripsOf(() => send("GET", link))).trips).toBe(1);
});

test("a list needs two, one of them for the session, however long it is", async () => {
  for (let count = 0; count < 5; count += 1) await ask();
  expect((await roundTripsOf(() => send("GET", "/api/requests"))).trips).toBeLessThanOrEqual(2);
});

test("a submission with its notices needs the same number, however many files it has", async () => {
  const tripsWith = async (files: Record<string, File>) => {
    const link = await ask();
    return (await roundTripsOf(() => send("POST", link, form(files)))).trips;
  };
  const one = await tripsWith({ Contract: pdfFile() });
  const two = await tripsWith({ Contract: pdfFile(), Letter: pdfFile("letter.pdf") });
  expect(two).toBe(one);
});
