import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Visitor } from "../support/browser/browser";
import { setUpRequestor } from "../support/browser/site-set-up";
import { choose, enterInformation, openLink, submitAll } from "../support/browser/submit-page";
import { pdfFile } from "../support/files/files";
import { waitFor } from "../support/wait";

const { site, requestor: ada } = setUpRequestor("ada@example.com");

type Envelope = Awaited<ReturnType<typeof ada.requestDocuments>>;
type Value = string | string[] | null;

const ask = (documents: object[], more?: Record<string, unknown>) =>
  ada.requestDocuments(documents as never, more);
const linkOf = ({ submissionToken }: Envelope) => `${site.url}/api/submissions/${submissionToken}`;

/** Answers by the names of the questions, as another device sends them. */
async function answerElsewhere(envelope: Envelope, answers: Record<string, Value>, how = "answers") {
  const ids = new Map(envelope.documents.map(({ id, name }) => [name, id]));
  const data = {
    answers: Object.fromEntries(Object.entries(answers).map(([name, value]) => [ids.get(name), value])),
  };
  const { request } = ada.page;
  const link = `${linkOf(envelope)}/${how}`;
  const response = how === "submit" ? await request.post(link, { data }) : await request.put(link, { data });
  expect(response.status()).toBe(how === "submit" ? 201 : 204);
}

/** What was submitted, by the names of the questions. */
async function submitted({ id }: Envelope) {
  const { documents } = await ada.readEnvelope(id);
  const stored = documents as unknown as { name: string; answer?: { value: Value } | null }[];
  return Object.fromEntries(stored.map(({ name, answer }) => [name, answer?.value]));
}

/** What is kept for the link until the submission, by the names of the questions. */
async function kept(envelope: Envelope): Promise<Record<string, Value>> {
  const { documents } = await (await ada.page.request.get(linkOf(envelope))).json();
  const stored = documents as { name: string; answered: boolean; answer: Value }[];
  return Object.fromEntries(stored.map(({ name, answered, answer }) => [name, answered ? answer : null]));
}

const waitForKept = (envelope: Envelope, answers: Record<string, Value>) =>
  waitFor(`the answers to ${Object.keys(answers).join()}`, async () => {
    const now = await kept(envelope);
    return Object.entries(answers).every(([name, value]) => Bun.deepEquals(now[name], value)) || undefined;
  });

const goToReview = async (page: Page) => {
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
};

const submit = async (page: Page) => {
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
};

/** Forgets the requests that failed without a connection. */
function clearProblems({ problems }: Visitor): void {
  const others = problems.filter((problem) => !/net::ERR_/.test(problem));
  problems.splice(0, problems.length, ...others);
}

/** Types answers without a connection, and closes the page. */
async function typeOffline(envelope: Envelope, answers: Record<string, string>) {
  const visitor = await openLink(site, envelope);
  const { page } = visitor;
  await enterInformation(page);
  const context = page.context();
  await context.setOffline(true);
  for (const [name, answer] of Object.entries(answers)) await page.getByLabel(name).fill(answer);
  await page.close();
  await context.setOffline(false);
  clearProblems(visitor);
  const reopen = async () => {
    const later = await context.newPage();
    await later.goto(`${site.url}/submit/${envelope.submissionToken}`);
    await later.getByRole("heading", { name: "Upload Documents" }).waitFor();
    return later;
  };
  return { visitor, reopen };
}

const askAgain = (envelope: Envelope, reason: string) =>
  ada.page.request.post(`${site.url}/api/requests/${envelope.id}/review`, {
    data: { return: envelope.documents.map(({ id }) => ({ documentId: id, reason })) },
  });

const becomeVisible = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

/** An answer whose call fails, so that it waits. */
async function typeLandlordInVain(page: Page, envelope: Envelope): Promise<void> {
  await page.route(`${linkOf(envelope)}/answers`, (route) => route.abort(), { times: 1 });
  const failed = page.waitForEvent("requestfailed", (request) => request.method() === "PUT");
  await page.getByLabel("Landlord").fill("Bob");
  await failed;
}

const passTenMinutes = (page: Page) =>
  page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 10 * 60_000;
  });

test("a reload of the last step keeps the answers and the files that they open", async () => {
  const envelope = await ask([
    { name: "Abroad?", kind: "yesNo" },
    { name: "Statement", showIf: { name: "Abroad?", is: ["yes"] } },
    { name: "Landlord", kind: "text" },
    { name: "Pays for", kind: "choices", options: ["Car", "School"] },
  ]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await page.getByRole("radio", { name: "Yes" }).check();
  await choose(page, "Statement", pdfFile("statement.pdf"));
  await page.getByText("Uploaded", { exact: true }).waitFor();
  await page.getByLabel("Landlord").fill("Bob Builder");
  await page.getByRole("checkbox", { name: "School" }).check();
  await waitForKept(envelope, { "Abroad?": "yes", Landlord: "Bob Builder", "Pays for": ["School"] });
  await goToReview(page);
  await page.reload();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  await page.getByText("Bob Builder", { exact: true }).waitFor();
  await page.getByText("School", { exact: true }).waitFor();
  await submit(page);
  expect(await submitted(envelope)).toMatchObject({
    "Abroad?": "yes",
    Landlord: "Bob Builder",
    "Pays for": ["School"],
  });
  const { submissions } = await ada.readEnvelope(envelope.id);
  expect(submissions.map(({ fileName }) => fileName)).toEqual(["statement.pdf"]);
}, 120_000);

test.each([
  ["is submitted", false],
  ["is shown and submitted once the page has read it", true],
])(
  "what another device has answered since then %s",
  async (_, isRead) => {
    const envelope = await ask([
      { name: "Account", kind: "text", required: true },
      { name: "Landlord", kind: "text" },
    ]);
    const { page } = await openLink(site, envelope);
    await enterInformation(page);
    await page.getByLabel("Account").fill("OLD 1111");
    await page.getByLabel("Landlord").fill("Bob");
    await page.getByLabel("Landlord").blur();
    await waitForKept(envelope, { Account: "OLD 1111", Landlord: "Bob" });
    await goToReview(page);
    await answerElsewhere(envelope, { Account: "CORRECTED 2222", Landlord: null });
    if (isRead) {
      await becomeVisible(page);
      await page.getByText("CORRECTED 2222", { exact: true }).waitFor();
    }
    await submit(page);
    expect(await submitted(envelope)).toEqual({ Account: "CORRECTED 2222", Landlord: undefined });
  },
  120_000,
);

test("what another device has left open is asked for, and what is typed here wins", async () => {
  const envelope = await ask([
    { name: "Abroad?", kind: "yesNo" },
    { name: "Country", kind: "text", required: true, showIf: { name: "Abroad?", is: ["yes"] } },
  ]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await page.getByRole("radio", { name: "No", exact: true }).check();
  await waitForKept(envelope, { "Abroad?": "no" });
  await goToReview(page);
  await answerElsewhere(envelope, { "Abroad?": "yes" });
  await page.getByRole("button", { name: "Submit Documents" }).click();
  const country = page.getByLabel("Country");
  await country.and(page.locator(":focus")).waitFor();
  await answerElsewhere(envelope, { Country: "France" });
  await country.fill("Spain");
  await submitAll(page);
  expect(await submitted(envelope)).toEqual({ "Abroad?": "yes", Country: "Spain" });
}, 120_000);

test("an optional answer that is cleared when it is asked again is not submitted", async () => {
  const envelope = await ask([
    { name: "Landlord", kind: "text" },
    { name: "Rent", kind: "number" },
  ]);
  await answerElsewhere(envelope, { Landlord: "Bob", Rent: "900" }, "submit");
  await askAgain(envelope, "Is it right?");
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  const cleared = page.waitForResponse((response) => response.request().method() === "PUT");
  await page.getByLabel("Landlord").fill("");
  await page.getByLabel("Landlord").blur();
  await cleared;
  const sent = page.waitForRequest(`${linkOf(envelope)}/submit`);
  await submitAll(page);
  const [, rent] = envelope.documents;
  // The earlier answer is confirmed without being typed again.
  expect((await sent).postDataJSON().answers).toEqual({ [String(rent?.id)]: "900" });
}, 120_000);

test("what depends on a choice that is cleared when it is asked again is not asked", async () => {
  const envelope = await ask([
    { name: "Abroad?", kind: "yesNo" },
    { name: "Country", kind: "text", required: true, showIf: { name: "Abroad?", is: ["yes"] } },
    { name: "Rent", kind: "number" },
  ]);
  await answerElsewhere(envelope, { "Abroad?": "yes", Country: "France", Rent: "900" }, "submit");
  const back = envelope.documents.map(({ id }) => ({ documentId: id, reason: "Is it right?" }));
  await ada.page.request.post(`${site.url}/api/requests/${envelope.id}/review`, { data: { return: back } });
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await page.getByLabel("Country").waitFor();
  const cleared = page.waitForResponse((response) => response.request().method() === "PUT");
  await page.getByRole("button", { name: "Clear answer" }).click();
  await cleared;
  expect(await page.getByLabel("Country").count()).toBe(0);
  const sent = page.waitForRequest(`${linkOf(envelope)}/submit`);
  await submitAll(page);
  const [abroad, , rent] = envelope.documents;
  expect((await sent).postDataJSON().answers).toEqual({
    [String(abroad?.id)]: null,
    [String(rent?.id)]: "900",
  });
}, 120_000);

test("an answer that another device gives takes the place of a reason", async () => {
  const envelope = await ask([
    { name: "Tax number", kind: "text", required: true, reasonAllowed: true },
    { name: "Landlord", kind: "text", required: true, reasonAllowed: true },
  ]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  for (const index of [0, 1]) {
    await page.getByRole("checkbox", { name: "I don't have this" }).nth(index).check();
    await page.getByLabel("Reason").nth(index).fill("Not yet assigned");
  }
  await answerElsewhere(envelope, { "Tax number": "12/345" });
  await page.reload();
  const number = page.getByLabel("Tax number");
  await number.waitFor();
  expect(await number.inputValue()).toBe("12/345");
  expect(await page.getByRole("checkbox", { name: "I don't have this" }).count()).toBe(1);
  await goToReview(page);
  // Only the server knows of this one.
  await answerElsewhere(envelope, { Landlord: "Bob" });
  await submit(page);
  expect(await submitted(envelope)).toEqual({ "Tax number": "12/345", Landlord: "Bob" });
}, 120_000);

test("a question that is left with a reason has no answer that is still correct", async () => {
  const { request } = ada.page;
  const made = await request.post(`${site.url}/api/contacts`, {
    data: { firstName: "Charles", lastName: "Babbage", email: "charles@example.com" },
  });
  const contactId = (await made.json()).id;
  const documents = [
    { name: "Employer", kind: "text", required: true, reasonAllowed: true },
    { name: "Landlord", kind: "text" },
    { name: "Bank", kind: "text" },
  ];
  const first = await ask(documents, { contactId });
  await answerElsewhere(first, { Employer: "ACME", Landlord: "Bob", Bank: "X" }, "submit");
  const envelope = await ask(documents, { contactId, prefill: true });
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await page.getByRole("checkbox", { name: "I don't have this" }).check();
  await page.getByLabel("Reason").fill("I am retired");
  await page.getByRole("button", { name: "All still correct" }).click();
  await waitForKept(envelope, { Employer: null, Landlord: "Bob", Bank: "X" });
  await submitAll(page);
  expect(await submitted(envelope)).toEqual({ Employer: undefined, Landlord: "Bob", Bank: "X" });
  const { documents: stored } = await ada.readEnvelope(envelope.id);
  expect(stored.map(({ state }) => state)).toEqual(["skipped", "received", "received"]);
}, 120_000);

test("what is typed stays when another question is no longer open, and when the link is replaced", async () => {
  const envelope = await ask([
    { name: "Alpha", kind: "text", required: true },
    { name: "Beta", kind: "text", required: true },
  ]);
  await answerElsewhere(envelope, { Alpha: "a1", Beta: "b1" }, "submit");
  const [alpha] = envelope.documents;
  const review = (data: object) =>
    ada.page.request.post(`${site.url}/api/requests/${envelope.id}/review`, { data });
  await review({ return: envelope.documents.map(({ id }) => ({ documentId: id, reason: "Once more" })) });
  const visitor = await openLink(site, envelope);
  const { page } = visitor;
  visitor.expectStatus(409, 410);
  await enterInformation(page);
  await page.context().setOffline(true);
  await page.getByLabel("Alpha").fill("a2");
  await page.getByLabel("Beta").fill("b2");
  await review({ undo: [alpha?.id] });
  await page.context().setOffline(false);
  await waitForKept(envelope, { Beta: "b2" });
  await page.getByRole("listitem").filter({ hasText: "Alpha" }).getByText("Received").waitFor();

  await page.getByLabel("Beta").fill("b3");
  await ada.page.request.post(`${site.url}/api/requests/${envelope.id}/link`);
  await page.getByLabel("Beta").blur();
  await page.getByRole("heading", { level: 1, name: "Invalid Submission Link" }).waitFor();
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(stored).toContain("b3");
  clearProblems(visitor);
}, 120_000);

test("two tabs keep what is typed in each of them without a connection", async () => {
  const envelope = await ask([
    { name: "Alpha", kind: "text" },
    { name: "Beta", kind: "text" },
  ]);
  const visitor = await openLink(site, envelope);
  const { page } = visitor;
  await enterInformation(page);
  const context = page.context();
  const tab = await context.newPage();
  await tab.goto(page.url());
  await tab.getByLabel("Beta").waitFor();
  await context.setOffline(true);
  await page.getByLabel("Alpha").fill("in one");
  await tab.getByLabel("Beta").fill("in the other");
  await page.close();
  await tab.close();
  await context.setOffline(false);
  const later = await context.newPage();
  await later.goto(`${site.url}/submit/${envelope.submissionToken}`);
  await waitForKept(envelope, { Alpha: "in one", Beta: "in the other" });
  clearProblems(visitor);
}, 120_000);

test("long answers that wait for the connection are kept together", async () => {
  const names = ["One", "Two", "Three"];
  const envelope = await ask(names.map((name) => ({ name, kind: "longText" })));
  const visitor = await openLink(site, envelope);
  const { page } = visitor;
  await enterInformation(page);
  await page.context().setOffline(true);
  const text = "証".repeat(9000);
  for (const name of names) await page.getByLabel(name).fill(text);
  await page.context().setOffline(false);
  await waitForKept(envelope, { One: text, Two: text, Three: text });
  clearProblems(visitor);
}, 120_000);

test("an answer that is kept while Submit is on its way stops the submission of a reason, without talk of a file", async () => {
  const envelope = await ask([{ name: "Tax number", kind: "text", required: true, reasonAllowed: true }]);
  const { page, expectStatus } = await openLink(site, envelope);
  expectStatus(400);
  await enterInformation(page);
  await page.getByRole("checkbox", { name: "I don't have this" }).check();
  await page.getByLabel("Reason").fill("Not yet assigned");
  await goToReview(page);
  const link = `${linkOf(envelope)}/submit`;
  await page.route(link, async (route) => {
    await answerElsewhere(envelope, { "Tax number": "12/345" });
    await route.continue();
  });
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("alert").getByText("The request was changed in the meantime").waitFor();
  await page.getByText("12/345", { exact: true }).waitFor();
  await page.unroute(link);
  await submit(page);
  expect(await submitted(envelope)).toEqual({ "Tax number": "12/345" });
}, 120_000);

test("an answer that waited for the connection does not replace a newer one, but is offered", async () => {
  const envelope = await ask([
    { name: "Landlord", kind: "text" },
    { name: "Bank", kind: "text" },
    { name: "Rent", kind: "number" },
  ]);
  const { reopen } = await typeOffline(envelope, { Landlord: "Bob", Bank: "Old Bank", Rent: "900" });
  await answerElsewhere(envelope, { Landlord: "Alice", Bank: "New Bank" });
  const page = await reopen();
  // Nobody else has answered this one.
  await waitForKept(envelope, { Rent: "900" });
  const card = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await card("Landlord").getByText("you answered: Bob").waitFor();
  expect(await page.getByLabel("Landlord").inputValue()).toBe("Alice");
  expect(await kept(envelope)).toEqual({ Landlord: "Alice", Bank: "New Bank", Rent: "900" });
  await page.reload();
  await card("Landlord").getByRole("button", { name: "Still correct" }).click();
  await waitForKept(envelope, { Landlord: "Bob" });
  // Typing decides too.
  await page.getByLabel("Bank").fill("Newest Bank");
  await page.getByLabel("Bank").blur();
  await waitForKept(envelope, { Bank: "Newest Bank" });
  expect(await page.getByText("you answered").count()).toBe(0);
  await page.reload();
  await page.getByLabel("Bank").waitFor();
  expect(await page.getByText("you answered").count()).toBe(0);
  await submitAll(page);
  expect(await submitted(envelope)).toEqual({ Landlord: "Bob", Bank: "Newest Bank", Rent: "900" });
}, 120_000);

test("an answer that waited since before the question was asked again does not replace what was submitted", async () => {
  const envelope = await ask([{ name: "Landlord", kind: "text" }]);
  await answerElsewhere(envelope, { Landlord: "Alice" });
  const { reopen } = await typeOffline(envelope, { Landlord: "Bob" });
  await answerElsewhere(envelope, {}, "submit");
  await askAgain(envelope, "Is she the owner?");
  const page = await reopen();
  await page.getByText("you answered: Bob").waitFor();
  expect(await page.getByLabel("Landlord").inputValue()).toBe("Alice");
  // Who does not see the offer in the last step is led back to it.
  await goToReview(page);
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByText("The request was changed in the meantime").waitFor();
  await page.getByText("you answered: Bob").waitFor();
  expect(await kept(envelope)).toEqual({ Landlord: null });
  await submitAll(page);
  expect(await submitted(envelope)).toEqual({ Landlord: "Alice" });
}, 120_000);

test("what is typed last is kept when the page is left, and does not replace a newer answer later", async () => {
  const envelope = await ask([
    { name: "Landlord", kind: "text" },
    { name: "Bank", kind: "text" },
  ]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  // A response that does not come.
  await page.route(`${linkOf(envelope)}/answers`, () => {}, { times: 1 });
  const sent = page.waitForRequest(`${linkOf(envelope)}/answers`);
  await page.getByLabel("Landlord").fill("Bob");
  await page.getByLabel("Landlord").blur();
  await sent;
  await page.getByLabel("Bank").fill("Old Bank");
  // Nobody reads the response here either.
  await page.goto("about:blank");
  await waitForKept(envelope, { Landlord: "Bob", Bank: "Old Bank" });
  await answerElsewhere(envelope, { Landlord: "Alice" });
  await page.goto(`${site.url}/submit/${envelope.submissionToken}`);
  await page.getByText("you answered: Bob").waitFor();
  expect(await page.getByLabel("Landlord").inputValue()).toBe("Alice");
  expect(await page.getByText("you answered").count()).toBe(1);
  expect(await kept(envelope)).toEqual({ Landlord: "Alice", Bank: "Old Bank" });
}, 120_000);

test("what a page that stays open could not send for long does not replace a newer answer", async () => {
  const envelope = await ask([{ name: "Landlord", kind: "text" }]);
  const visitor = await openLink(site, envelope);
  const { page } = visitor;
  await enterInformation(page);
  const failed = page.waitForEvent("requestfailed", (request) => request.method() === "PUT");
  await page.context().setOffline(true);
  await page.getByLabel("Landlord").fill("Bob");
  await failed;
  await answerElsewhere(envelope, { Landlord: "Alice" });
  await passTenMinutes(page);
  await page.context().setOffline(false);
  await page.getByText("you answered: Bob").waitFor();
  expect(await page.getByLabel("Landlord").inputValue()).toBe("Alice");
  expect(await kept(envelope)).toEqual({ Landlord: "Alice" });
  clearProblems(visitor);
}, 120_000);

test("a link that is read again before what waited is sent lists no file twice", async () => {
  const envelope = await ask([
    { name: "Landlord", kind: "text" },
    { name: "Contract", required: true },
  ]);
  const visitor = await openLink(site, envelope);
  const { page } = visitor;
  await enterInformation(page);
  await typeLandlordInVain(page, envelope);
  // The server has created the upload, and its response is lost.
  const [created, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(
    `${linkOf(envelope)}/uploads`,
    async (route) => {
      await route.fetch();
      created.resolve();
      await read.promise;
      await route.abort();
    },
    { times: 1 },
  );
  await choose(page, "Contract", pdfFile("contract.pdf"));
  await created.promise;
  await passTenMinutes(page);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await waitForKept(envelope, { Landlord: "Bob" });
  read.resolve();
  await page.getByText("Uploaded", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /^Remove/ }).count()).toBe(1);
  await submitAll(page);
  expect((await ada.readEnvelope(envelope.id)).submissions).toHaveLength(1);
  clearProblems(visitor);
}, 120_000);

test("a confidential answer typed last is kept when the page is left, though another one waits", async () => {
  const envelope = await ask([
    { name: "Landlord", kind: "text" },
    { name: "IBAN", kind: "text", confidential: true },
  ]);
  const visitor = await openLink(site, envelope);
  const { page } = visitor;
  await enterInformation(page);
  await typeLandlordInVain(page, envelope);
  await passTenMinutes(page);
  // A read of the link that does not end.
  await page.route(linkOf(envelope), () => {});
  await page.getByLabel("IBAN").fill("DE02 1203");
  await page.goto("about:blank");
  await waitFor("the answer", async () => {
    const { documents } = await (await ada.page.request.get(linkOf(envelope))).json();
    return documents.find(({ name }: { name: string }) => name === "IBAN").answered || undefined;
  });
  expect((await kept(envelope)).Landlord).toBe(null);
  clearProblems(visitor);
}, 120_000);

test("a submission whose call is lost while another device submits shows nothing that the server does not have", async () => {
  const envelope = await ask([
    { name: "Tax number", kind: "text", required: true, reasonAllowed: true },
    { name: "Landlord", kind: "text" },
  ]);
  const visitor = await openLink(site, envelope);
  const { page } = visitor;
  visitor.expectStatus(410);
  await enterInformation(page);
  await page.getByRole("checkbox", { name: "I don't have this" }).check();
  await page.getByLabel("Reason").fill("Not yet assigned");
  await page.route(
    `${linkOf(envelope)}/submit`,
    async (route) => {
      await answerElsewhere(envelope, { "Tax number": "12/345", Landlord: "Alice" }, "submit");
      await route.abort();
    },
    { times: 1 },
  );
  await submitAll(page);
  for (const text of ["Not yet assigned", "No answer", "12/345"])
    expect(await page.getByText(text).count()).toBe(0);
  expect(await submitted(envelope)).toEqual({ "Tax number": "12/345", Landlord: "Alice" });
  clearProblems(visitor);
}, 120_000);
