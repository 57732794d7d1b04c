import { expect, test } from "bun:test";
import { PHONE, violations, waitForFocus } from "../support/browser/browser";
import { setUpRequestor } from "../support/browser/site-set-up";
import {
  CONTRACT,
  choose,
  enterInformation,
  LETTER,
  openLink,
  PASSPORT,
  uploaded,
} from "../support/browser/submit-page";
import { docxFile, jpegFile, pdfFile, sha256 } from "../support/files/files";

const { site, requestor: ada } = setUpRequestor("ada@example.com");

test("files reach the requestor byte for byte", async () => {
  const envelope = await ada.requestDocuments([PASSPORT, CONTRACT, LETTER], { expirationDate: "2099-12-31" });
  const { page } = await openLink(site, envelope);
  await page.getByRole("heading", { level: 1, name: "Papers for the engine" }).waitFor();
  expect(await page.title()).toBe("Papers for the engine | Doculopes");
  await page.getByText("Document Request for Charles Babbage", { exact: true }).waitFor();
  expect(await page.getByTitle("Waiting for your documents").textContent()).toBe("pending");
  for (const text of ["Request From", "Ada Lovelace", "Analytical Engines Ltd", ada.email, "pending"])
    await page.getByText(text, { exact: true }).waitFor();
  await page.getByText("Link works until 31 December 2099").waitFor();
  expect(await page.getByRole("button", { name: "Previous" }).isDisabled()).toBe(true);
  await enterInformation(page);
  await waitForFocus(page.getByRole("heading", { name: "Upload Documents" }));

  const passport = jpegFile("IMG “1”.jpg");
  const contract = pdfFile("contract final.pdf");
  await choose(page, "Passport", passport);
  await choose(page, "Signed contract", contract);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  await page.getByText("Uploaded", { exact: true }).nth(1).waitFor();
  expect(await page.getByText("Uploaded", { exact: true }).count()).toBe(2);
  await page.getByText("Not Uploaded", { exact: true }).waitFor();
  await page.getByText("No file selected", { exact: true }).waitFor();
  await page.getByText("charles@example.com").waitFor();

  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.postData() ?? ""));
  await page.getByRole("button", { name: "Submit Documents" }).click();
  const toast = page.getByText("Documents Submitted Successfully", { exact: true });
  // Hovered, it stays.
  await toast.hover();
  await page.setViewportSize({ width: 320, height: 640 });
  const heading = await page.getByRole("heading", { level: 1, name: "Submission Complete" }).boundingBox();
  const shown = await page.getByText(/^Your documents have been uploaded/).boundingBox();
  expect((shown?.y ?? 640) + (shown?.height ?? 0)).toBeLessThan(heading?.y ?? 0);
  // Neither the name nor the e-mail.
  expect(sent.filter(Boolean)).toEqual(['{"note":null,"skipped":[],"language":"en"}']);
  await page.getByText("Thank you! Your documents have been successfully submitted.").waitFor();

  const { status, submissions } = await ada.readEnvelope(envelope.id);
  expect(status).toBe("completed");
  expect(submissions.map(({ fileName }) => fileName)).toEqual([passport.name, contract.name]);
  for (const [index, file] of [passport, contract].entries()) {
    const stored = await ada.page.request.get(`${site.url}${submissions[index]?.url}`);
    expect(await sha256(await stored.body())).toBe(await sha256(file));
  }
}, 120_000);

test("on a phone, the next step begins in view, though the request above it is folded", async () => {
  const message = "Please send these papers.\n".repeat(12);
  const envelope = await ada.requestDocuments([PASSPORT, CONTRACT, LETTER], { message });
  const { page } = await openLink(site, envelope, PHONE);
  await enterInformation(page);
  await waitForFocus(page.getByRole("heading", { name: "Upload Documents" }));
  await page.getByRole("button", { name: "Show the request" }).waitFor();
  const { y = -1 } = (await page.getByRole("heading", { name: "Upload Documents" }).boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(PHONE.viewport.height / 2);
});

test("a failure stays until it is dismissed", async () => {
  const { page } = await openLink(site, await ada.requestDocuments([PASSPORT]));
  await page.waitForFunction(() => document.querySelector("input")?.value === "Charles Babbage");
  await page.getByLabel("Name", { exact: true }).fill("");
  await page.clock.install();
  await page.getByRole("button", { name: "Next" }).click();
  const toast = page.getByText("Required Fields", { exact: true });
  await toast.waitFor();
  await page.clock.fastForward("01:00");
  expect(await toast.isVisible()).toBe(true);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await toast.waitFor({ state: "detached" });
}, 120_000);

test("missing input is reported as a toast and at its field, which gets the focus", async () => {
  const { page } = await openLink(site, await ada.requestDocuments([PASSPORT, LETTER]));
  const [name, email] = ["Name", "Email"].map((label) => page.getByLabel(label, { exact: true }));
  await page.waitForFunction(() => document.querySelector("input")?.value === "Charles Babbage");
  expect(await email?.inputValue()).toBe("charles@example.com");
  await email?.fill("x");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Please enter a valid email address.", { exact: true }).waitFor();
  await email?.fill("");
  await name?.fill("");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Required Fields", { exact: true }).waitFor();
  await page.getByText("Please fill in all required fields before proceeding.", { exact: true }).waitFor();
  await page.keyboard.press("F8");
  await page.waitForFunction(() => document.activeElement?.textContent?.includes("Required Fields"));
  await page.keyboard.press("Escape");
  await page.getByText("Required Fields", { exact: true }).waitFor({ state: "detached" });
  await page.getByLabel("Name", { exact: true }).fill("   ");
  await page.keyboard.press("Enter");
  await page.getByText("Please enter your name.").waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "name");
  await page.getByText("Required Fields", { exact: true }).waitFor();

  await page.getByLabel("Name", { exact: true }).fill("Charles");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "email");
  await page.getByText("Please enter your email address.").waitFor();

  await enterInformation(page);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Please choose a file for this document.").waitFor();
  const passport = page.getByLabel("Passport", { exact: true });
  await waitForFocus(passport);
  await page.getByRole("button", { name: "Previous" }).click();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Charles Babbage");
}, 120_000);

test("a file of the wrong type, an empty or too large one is rejected before it is sent", async () => {
  const { page } = await openLink(site, await ada.requestDocuments([PASSPORT]));
  await enterInformation(page);
  const input = page.getByLabel("Passport", { exact: true });
  expect(await input.getAttribute("accept")).toBe(
    ".pdf,.jpg,.jpeg,.jpe,.jfif,.pjpeg,.pjp,.png,image/jpeg,image/png",
  );
  await choose(page, "Passport", new File(["MZ"], "passport.exe"));
  await page.getByText("“passport.exe” cannot be used here.").waitFor();
  await choose(page, "Passport", new File([], "empty.pdf"));
  await page.getByText("“empty.pdf” is empty.").waitFor();
  await choose(page, "Passport", new File([new Uint8Array(5 * 1024 * 1024 + 1)], "large.pdf"));
  await page.getByText("The limit is 5 MB. Please choose a smaller file.").waitFor();
  expect(await page.getByText("large.pdf").count()).toBe(1);

  await choose(page, "Passport", pdfFile("first.pdf"));
  await page.getByText("The limit is 5 MB.").waitFor({ state: "detached" });
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Replace file for Passport" }).click();
  await (await chooser).setFiles({
    name: "second.PDF",
    mimeType: "application/pdf",
    buffer: Buffer.from(await pdfFile().arrayBuffer()),
  });
  await page.getByText("second.PDF", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Remove file for Passport" }).click();
  await page.getByText("second.PDF", { exact: true }).waitFor({ state: "detached" });
  await waitForFocus(input);
}, 120_000);

test("each rejected file has a line, help is read with the field, and the last step leads back to a document", async () => {
  const several = { ...PASSPORT, description: "Both sides", multiple: true };
  const { page } = await openLink(site, await ada.requestDocuments([several, LETTER]));
  await enterInformation(page);
  const input = page.getByLabel("Passport", { exact: true });
  await input.setInputFiles(
    ["passport.exe", "photo.txt"].map((name) => ({ name, mimeType: "", buffer: Buffer.from("MZ") })),
  );
  const rejected = page.getByRole("alert").filter({ hasText: "passport.exe" });
  expect((await rejected.textContent())?.split("\n")).toEqual([
    expect.stringContaining("“passport.exe” cannot be used here."),
    expect.stringContaining("“photo.txt” cannot be used here."),
  ]);
  const [help] = ((await input.getAttribute("aria-describedby")) ?? "").split(" ");
  expect(await page.locator(`[id="${help}"]`).textContent()).toBe("Both sides");

  await choose(page, "Passport", pdfFile("passport.pdf"));
  await choose(page, LETTER.name, docxFile());
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Change Passport" }).click();
  await waitForFocus(input);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: `Change ${LETTER.name}` }).click();
  await waitForFocus(page.getByRole("button", { name: `Replace file for ${LETTER.name}` }));
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("the Back button leads to the step before, and from the first one away", async () => {
  const envelope = await ada.requestDocuments([CONTRACT]);
  const { page } = await openLink(site, envelope);
  const isShown = (name: string) => page.getByRole("heading", { name, exact: true }).waitFor();
  const next = page.getByRole("button", { name: "Next" });
  const url = page.url();
  await enterInformation(page);
  await choose(page, "Signed contract", pdfFile());
  await next.click();
  await isShown("Review & Submit");
  await page.goBack();
  await isShown("Upload Documents");
  await uploaded(page, "Signed contract").waitFor();
  await page.reload();
  await isShown("Upload Documents");
  await page.goBack();
  await isShown("Your Information");
  await waitForFocus(page.getByRole("heading", { name: "Your Information" }));
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Charles Babbage");
  // Forwards leads the button that checks what is typed.
  await page.goForward();
  await isShown("Your Information");
  await next.click();
  await isShown("Upload Documents");
  await page.getByRole("button", { name: "Previous" }).click();
  await isShown("Your Information");
  expect(page.url()).toBe(url);
  await page.goBack();
  await page.waitForURL("about:blank");

  await page.goForward();
  await isShown("Your Information");
  await next.click();
  await uploaded(page, "Signed contract").waitFor();
  await next.click();
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
  await page.goBack();
  await page.waitForURL("about:blank");
}, 60_000);

test("a file can be dropped on its document", async () => {
  const { page } = await openLink(site, await ada.requestDocuments([CONTRACT]));
  await enterInformation(page);
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["%PDF-1.4"], "dropped.pdf", { type: "application/pdf" }));
    return data;
  });
  await page.getByRole("button", { name: "Next" }).click();
  const missing = page.getByText("Required Fields", { exact: true });
  await missing.waitFor();
  const card = page.getByRole("listitem").filter({ hasText: "Signed contract" });
  await card.dispatchEvent("dragenter", { dataTransfer: transfer });
  await page.getByText("Drop the file here").waitFor();
  await card.dispatchEvent("drop", { dataTransfer: transfer });
  await page.getByText("dropped.pdf", { exact: true }).waitFor();
  await missing.waitFor({ state: "detached" });
}, 120_000);

test("a file that the server rejects is reported on its card immediately, with what to do", async () => {
  const visitor = await openLink(site, await ada.requestDocuments([CONTRACT, LETTER]));
  const { page } = visitor;
  visitor.expectStatus(415);
  await enterInformation(page);
  await choose(page, "Signed contract", new File(["this is no PDF"], "contract.pdf"));
  await choose(page, "Cover letter", docxFile());
  const card = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "Signed contract" }) });
  await card.getByRole("alert").getByText("“contract.pdf” isn't a real PDF file.").waitFor();
  await page.getByText("Uploaded", { exact: true }).waitFor();
  const input = page.getByLabel("Signed contract", { exact: true });
  expect(await input.getAttribute("aria-invalid")).toBe("true");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Required Fields", { exact: true }).waitFor();
  await waitForFocus(input);
  await choose(page, "Signed contract", new File(["GIF89a"], "scan.pdf"));
  await card.getByRole("alert").getByText("“scan.pdf” is a GIF picture, named .pdf.").waitFor();
  await choose(page, "Signed contract", pdfFile());
  await card.getByText("Uploaded", { exact: true }).waitFor();
  expect(await card.getByRole("alert").count()).toBe(0);
}, 120_000);

test("an invalid address is heard though Enter leaves the focus in its field", async () => {
  const { page } = await openLink(site, await ada.requestDocuments([CONTRACT]));
  const email = page.getByLabel("Email", { exact: true });
  await email.fill("charles@");
  await email.press("Enter");
  await page.getByRole("alert").getByText("Please enter a valid email address.").waitFor();
  await waitForFocus(email);
}, 120_000);

test("a file that was refused beside others is heard once, and Next leads to what is missing", async () => {
  const visitor = await openLink(
    site,
    await ada.requestDocuments([{ ...CONTRACT, multiple: true }, PASSPORT]),
  );
  const { page } = visitor;
  visitor.expectStatus(415);
  await enterInformation(page);
  await choose(page, "Signed contract", pdfFile());
  await uploaded(page, "Signed contract").waitFor();
  await choose(page, "Signed contract", new File(["this is no PDF"], "fake.pdf"));
  const refused = page.getByText("“fake.pdf” isn't a real PDF file.");
  const heard = page
    .getByRole("alert")
    .and(refused)
    .or(page.getByRole("alert").filter({ has: refused }));
  await heard.waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await waitForFocus(page.getByLabel("Passport", { exact: true }));
  await choose(page, "Passport", pdfFile());
  await uploaded(page, "Passport").waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  await refused.waitFor();
  expect(await heard.count()).toBe(0);
}, 120_000);

test("a failed submission says why, and can be repeated without choosing the files again", async () => {
  const visitor = await openLink(site, await ada.requestDocuments([CONTRACT]));
  const { page } = visitor;
  await enterInformation(page);
  await choose(page, "Signed contract", pdfFile());
  await page.getByRole("button", { name: "Next" }).click();
  await page.route("**/api/submissions/*/submit", (route) =>
    route.fulfill({ status: 503, json: { message: "Busy", code: "unavailable" } }),
  );
  visitor.expectStatus(503);
  const submit = page.getByRole("button", { name: "Submit Documents" });
  await submit.click();
  await page.getByText("Submission Failed", { exact: true }).waitFor();
  await page.getByText("Failed to submit documents", { exact: true }).waitFor();
  await page.getByText("The service is busy.").waitFor();
  await page.unroute("**/api/submissions/*/submit");
  await submit.click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
}, 120_000);

test("a link that was completed or has expired meanwhile shows its screen", async () => {
  const envelope = await ada.requestDocuments([LETTER]);
  const [first, second] = [await openLink(site, envelope), await openLink(site, envelope)];
  for (const { page } of [first, second]) await enterInformation(page);
  await choose(first.page, "Cover letter", docxFile());
  for (const { page } of [first, second]) {
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  }
  await second.page.getByLabel("Note to Ada Lovelace").fill("I have none.");
  await first.page.getByRole("button", { name: "Submit Documents" }).click();
  await first.page.getByRole("heading", { name: "Submission Complete" }).waitFor();
  second.expectStatus(410);
  await second.page.getByRole("button", { name: "Submit Documents" }).click();
  await second.page.getByRole("heading", { level: 1, name: "Submission Expired" }).waitFor();
  await second.page
    .getByText("This submission has already been completed and can no longer be accessed.")
    .waitFor();
  await second.page.getByText("letter.docx").waitFor();
  await second.page.getByText("If you did not submit the documents yourself").waitFor();

  const unknown = await site.visit("/robots.txt");
  unknown.expectStatus(404);
  await unknown.page.goto(`${site.url}/submit/no-such-token`);
  await unknown.page.getByRole("heading", { level: 1, name: "Invalid Submission Link" }).waitFor();
  await unknown.page.getByText("This submission link is invalid or has expired.", { exact: true }).waitFor();
}, 120_000);

test("no step of the page has an accessibility violation on a phone", async () => {
  const { page } = await openLink(site, await ada.requestDocuments([PASSPORT, LETTER]), PHONE);
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel("Name", { exact: true }).fill("");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Please enter your name.").waitFor();
  expect(await violations(page)).toEqual([]);
  await enterInformation(page);
  await choose(page, "Passport", new File(["MZ"], "passport.exe"));
  await page.getByText("“passport.exe” cannot be used here.").waitFor();
  await choose(page, "Cover letter", docxFile());
  expect(await violations(page)).toEqual([]);
  await choose(page, "Passport", pdfFile());
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("a title without a subject is shown in the recipient's language", async () => {
  const { page } = await openLink(site, await ada.requestDocuments([LETTER]), { locale: "de-DE" });
  await page.getByText("Dokumentenanfrage für Charles Babbage", { exact: true }).waitFor();
}, 120_000);

test("on a phone the requestor's details are collapsed after the first step, and can be expanded", async () => {
  const { page } = await openLink(site, await ada.requestDocuments([LETTER]), PHONE);
  const email = page.getByText("ada@example.com", { exact: true });
  await email.waitFor();
  await enterInformation(page);
  await email.waitFor({ state: "hidden" });
  expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Show the request" }).click();
  await email.waitFor();
}, 120_000);

test("a receipt is saved as a page of its own, with the server's time and each file's checksum, also after a reload", async () => {
  const envelope = await ada.requestDocuments([CONTRACT], { subject: "Papers & <more>" });
  const { page, expectStatus } = await openLink(site, envelope);
  await enterInformation(page);
  await choose(page, "Signed contract", pdfFile("contract <1>.pdf"));
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page
    .getByText("Ada Lovelace checks your files. You will hear only if something is missing.")
    .waitFor();
  await page.setViewportSize({ width: 320, height: 568 });
  const [left, right, lost] = await page
    .getByRole("button", { name: "Save receipt of this submission" })
    .evaluate((button) => {
      const box = button.getBoundingClientRect();
      return [box.left, box.right, button.scrollHeight - button.clientHeight];
    });
  expect(left).toBeGreaterThanOrEqual(16);
  expect(right).toBeLessThanOrEqual(304);
  expect(lost).toBe(0);
  const saveReceipt = async () => {
    const started = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save receipt of this submission" }).click();
    return started;
  };
  const download = await saveReceipt();
  const { completedAt } = await ada.readEnvelope(envelope.id);
  expect(download.suggestedFilename()).toBe(`Confirmation of submission ${completedAt?.slice(0, 10)}.html`);
  const html = await Bun.file(await download.path()).text();
  expect(html).not.toMatch(/<script|https?:/);
  const reader = await site.visit("/robots.txt");
  // A page of the site accepts no HTML from a script.
  await reader.page.goto("about:blank");
  await reader.page.setContent(html);
  for (const text of [
    "Papers & <more>",
    "Ada Lovelace, Analytical Engines Ltd, ada@example.com",
    "contract <1>.pdf",
  ])
    await reader.page.getByText(text, { exact: true }).waitFor();
  await reader.page.getByText(`SHA-256 ${await sha256(pdfFile())}`).waitFor();
  await reader.page.getByText(String(completedAt)).waitFor();
  expectStatus(410);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Submission Expired" }).waitFor();
  await page.getByText("Sent to Ada Lovelace on").waitFor();
  expect(await Bun.file(await (await saveReceipt()).path()).text()).toBe(html);
  expect(await violations(page)).toEqual([]);
  const other = await site.visit("/robots.txt");
  other.expectStatus(410);
  await other.page.goto(page.url());
  await other.page.getByText("Submitted on").waitFor();
  await other.page.getByText("contract <1>.pdf", { exact: true }).waitFor();
}, 120_000);
