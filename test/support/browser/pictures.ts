/** Makes the pictures of README.md from a demo site: `bun test/support/browser/pictures.ts`. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { runBatch } from "../../../db/client";
import { findUserByEmail, insertUser } from "../../../db/queries/users";
import { workspaceMembers } from "../../../db/schema";
import { seedDemo } from "../../../worker/cli/seed/demo";
import { DEMO_USER } from "../../../worker/cli/seed/demo-data";
import { runCleanup } from "../cleanup";
import { DESKTOP, PHONE, startBunSite, startTestSite } from "./browser";
import { choose, uploaded } from "./submit-page";

const FOLDER = join(import.meta.dir, "../../../web/assets");
const COLLEAGUES = [
  { firstName: "Noor", lastName: "Haddad" },
  { firstName: "Jakob", lastName: "Lind" },
];
const PAPER = `<body style="font: 16px/1.6 Georgia, serif; margin: 64px">
  <p style="text-align: right">Alvarez Bakery<br>14 Mill Lane<br>March 3, 2026</p>
  <h1 style="font-size: 26px">Income statement 2025</h1>
  <table style="width: 100%; border-collapse: collapse">${[
    ["Sales of bread and pastry", "184,220.40"],
    ["Catering", "21,760.00"],
    ["Flour, sugar and other goods", "− 61,034.15"],
    ["Wages", "− 83,410.00"],
    ["Rent and energy", "− 24,118.72"],
    ["<b>Profit before tax</b>", "<b>37,417.53</b>"],
  ]
    .map(
      ([what, amount]) =>
        `<tr style="border-bottom: 1px solid #999"><td style="padding: 8px 0">${what}<td style="text-align: right">${amount}`,
    )
    .join("")}</table>
  <p>I confirm that the figures are complete.</p><p style="font: italic 28px cursive">Mateo Alvarez</p></body>`;

const server = await startBunSite({ seed: seedDemo });
const site = await startTestSite(async () => server);
await addColleagues();
const { page } = await site.visit("/robots.txt", DESKTOP);
await page.request.post(`${site.url}/api/login`, { data: DEMO_USER });
const [workspace] = await read("/api/workspaces");
await page.request.patch(`${site.url}/api/workspaces/${workspace.id}`, { data: { name: "Tax clients" } });
const { members }: { members: { userId: number }[] } = await read(`/api/workspaces/${workspace.id}/members`);
const envelopes: { id: number }[] = await read(`/api/requests?workspaceId=${workspace.id}`);
for (const [index, { id }] of envelopes.entries()) {
  const assigneeId = members[index % members.length]?.userId;
  const response = await page.request.patch(`${site.url}/api/requests/${id}`, { data: { assigneeId } });
  if (!response.ok()) throw new Error(await response.text());
}

const sent = await (
  await page.request.post(`${site.url}/api/requests`, {
    data: {
      workspaceId: workspace.id,
      recipientName: "Mateo Alvarez",
      recipientEmail: "mateo@example.com",
      subject: "Your tax return",
      message: "Dear Mateo,\nplease send us what we need for your tax return. Photos are fine.",
      documents: [
        { name: "Income statement", description: "Signed, for the whole year.", required: true },
        { name: "Bank certificates", description: "All pages." },
      ],
    },
  })
).json();
const paper = await site.visit("/robots.txt");
await paper.page.goto("about:blank");
await paper.page.setContent(PAPER);
const pdf = await paper.page.pdf({ format: "A4", printBackground: true });

const recipient = await site.visit(`/submit/${sent.submissionToken}`, { ...PHONE, deviceScaleFactor: 2 });
await recipient.page.getByLabel("Name", { exact: true }).fill("Mateo Alvarez");
await recipient.page.getByLabel("Email", { exact: true }).fill("mateo@example.com");
await recipient.page.getByRole("button", { name: "Next" }).click();
await recipient.page.getByRole("heading", { name: "Upload Documents" }).waitFor();
for (const name of ["Income statement", "Bank certificates"]) {
  const file = `${name.toLowerCase().replace(" ", "-")}.pdf`;
  await choose(recipient.page, name, new File([new Uint8Array(pdf)], file, { type: "application/pdf" }));
  await uploaded(recipient.page, name).waitFor();
}
await recipient.page.evaluate(() => scrollTo(0, 0));
await take(recipient.page, "recipient");
await recipient.page.getByRole("button", { name: "Next" }).click();
await recipient.page.getByRole("button", { name: "Submit Documents" }).click();
await recipient.page.getByRole("heading", { name: "Submission Complete" }).waitFor();

await page.goto(`${site.url}/`);
await page.getByText("Your tax return").first().waitFor();
await take(page, "workspace");
await page.goto(`${site.url}/?envelope=${sent.id}&review=1`);
await page
  .getByRole("img", { name: /^Page 1 of / })
  .locator("canvas")
  .waitFor();
await take(page, "viewer");
await site.stop();
await runCleanup();

async function read(path: string) {
  return (await page.request.get(site.url + path)).json();
}

async function take(shown: Page, name: string): Promise<void> {
  await shown.evaluate(() => document.fonts.ready);
  await shown.screenshot({ path: join(FOLDER, `${name}.png`) });
}

async function addColleagues(): Promise<void> {
  const { db, clock } = server.deps;
  const createdAt = clock.now().toISOString();
  for (const colleague of COLLEAGUES) {
    const email = `${colleague.firstName.toLowerCase()}@example.com`;
    const account = { isVerified: true, verifiedByOwner: true, onboardingCompleted: true, password: "" };
    await runBatch(db, [insertUser(db, { ...colleague, ...account, email, createdAt })]);
    const user = await findUserByEmail(db, email);
    if (!user) throw new Error(`${email} was not created`);
    await db.insert(workspaceMembers).values({ workspaceId: 1, userId: user.id, role: "member", createdAt });
  }
}
