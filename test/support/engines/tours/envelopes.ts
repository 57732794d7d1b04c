import { join } from "node:path";
import { button, byRole, field, heading, text } from "../page";
import { dialog, listButton, listed, question, type Tour } from "./tour";

export type EnvelopeIds = { pending: number; completed: number; draft: number };

/** The list of envelopes with its dialogs, the details, the review mode and the wizard. */
export async function tourEnvelopes(tour: Tour, ids: EnvelopeIds): Promise<void> {
  const { page, word, inspect } = tour;
  await page.goto("/");
  await page.see(byRole("checkbox", word("envelopes:bulk.selectAll")));
  await inspect("envelopes");
  await page.goto("/?filter=zzz");
  await page.see(text(word("envelopes:noResults")));
  await inspect("envelopes, none found");
  await page.goto("/?view=board");
  await page.see({ css: "[role=gridcell]" });
  await inspect("board");
  await page.goto("/");
  await page.click(button(word("envelopes:deleteNamed")));
  await page.see(question);
  await inspect("delete envelope");
  await tourSelection(tour);
  await page.goto(`/?envelope=${ids.pending}`);
  await page.see(button(word("envelopes:detail.copy")));
  await inspect("pending envelope");
  await page.goto(`/?envelope=${ids.completed}`);
  await page.see(heading(word("envelopes:detail.submitted")));
  await inspect("completed envelope");
  await page.click(button(word("envelopes:detail.viewNamed")));
  await page.see(text(word("envelopes:file.mimeType")));
  await inspect("document details");
  await tourReview(tour, ids.completed);
  await tourWizard(tour, ids.draft);
  await tourSeveral(tour);
  await tourGroups(tour);
}

async function tourSelection({ page, word, inspect }: Tour): Promise<void> {
  await page.goto("/?tab=completed&q=a");
  await page.see(button(word("envelopes:search.end")));
  await inspect("completed envelopes, searched");
  await page.goto("/");
  await page.click(byRole("checkbox", word("envelopes:bulk.selectAll")));
  await page.see(button(word("envelopes:bulk.clear")));
  await inspect("envelopes, selected");
  for (const [action, opened] of [
    ["remind", dialog],
    ["accept", dialog],
    ["download", dialog],
    ["delete", question],
  ] as const) {
    await page.click(
      button(new RegExp(`${word(`envelopes:bulk.${action}.action`).source.slice(0, -1)} \\d`)),
    );
    await page.see(opened);
    await inspect(`envelopes, ${action}`);
    await page.press("Escape");
    await page.gone(opened);
  }
}

/** The review mode. It shows the first file if there is none with the id. */
async function tourReview({ page, word, inspect }: Tour, completed: number): Promise<void> {
  await page.goto(`/?envelope=${completed}&review=999999`);
  await page.see({ css: "[data-page='1'] canvas" });
  await inspect("review");
  await page.click(button(word("review:againNamed")));
  await page.see(field(word("review:ask.label")));
  await inspect("ask again");
  await page.fill(word("review:ask.label"), "Die zweite Seite ist nicht vollständig zu sehen.");
  await page.press("Enter");
  await page.see(button(word("review:send.submit")));
  await inspect("review, a return to send");
  await page.press("Escape");
  await page.see(button(word("review:unsent.keep")));
  await inspect("review, a return not sent");
  await page.click(button(word("review:unsent.keep")));
  await page.see(button(word("review:editNamed")));
  await inspect("completed envelope, a return to send");
  await page.press("Escape");
  await page.gone(dialog);
  await page.see(button(word("envelopes:deleteNamed")));
  await inspect("envelopes, a return not sent");
}

async function tourWizard({ page, word, inspect }: Tour, draft: number): Promise<void> {
  await page.goto("/?wizard=new");
  await page.click(button(word("envelopes:wizard.chooseContact")));
  await page.see(listed);
  await inspect("wizard, contacts");
  await page.press("Escape");
  await page.gone(listed);
  await page.fill(word("envelopes:wizard.recipientName"), "Grace Hopper");
  await page.click(button(word("envelopes:wizard.next")));
  await page.see(text(word("common:requiredFields.title")));
  await inspect("wizard, recipient rejected");
  await page.press("Escape");
  await page.see(question);
  await inspect("unsaved changes");
  await page.goto(`/?edit=${draft}`);
  await page.see(field(word("envelopes:wizard.recipientName")));
  await page.click(button(word("envelopes:wizard.next")));
  await page.see(field(word("envelopes:wizard.subject")));
  await inspect("wizard, message");
  await page.click(button(word("envelopes:wizard.next")));
  await page.see(field(word("common:document.name")));
  await inspect("wizard, documents");
  await page.open(listButton(word("envelopes:wizard.template")), listed);
  await inspect("wizard, templates");
  await page.press("Escape");
  await page.gone(listed);
  await page.click(button(word("envelopes:wizard.next")));
  await page.see(field(word("envelopes:wizard.expiration")));
  await inspect("wizard, settings");
}

export const listNamed = (name: string) => join(import.meta.dir, "../../files/lists", `${name}.csv`);

/** The wizard for several recipients. */
async function tourSeveral({ page, word, inspect }: Tour): Promise<void> {
  await page.goto("/?wizard=several");
  await page.click(button(word("several:pick.open")));
  await page.see(field(word("envelopes:wizard.searchContacts")));
  await inspect("several, contacts");
  await page.goto("/?wizard=several");
  await page.click(button(word("lists:paste")));
  await page.see(field(word("lists:pasted")));
  await inspect("several, paste");
  await page.choose("input[type=file]", listNamed("problems"));
  await page.see(text(word("lists:wrong_one")));
  await page.click(button(word("envelopes:wizard.next")));
  await page.focused(
    field(new RegExp(word("several:fields.recipientEmail").source.replace("$", "\\D+2\\D*$"))),
  );
  await inspect("several, recipients");
  await page.choose("input[type=file]", listNamed("excel-german"));
  await page.gone(text(word("lists:wrong_one")));
  await page.click(button(word("envelopes:wizard.next")));
  await page.fill(word("envelopes:wizard.subject"), "Steuererklärung für {lastName}");
  await page.click(button(word("envelopes:wizard.next")));
  await page.fill(word("common:document.name"), "Lohnsteuerbescheinigung");
  await page.click(button(word("envelopes:wizard.next")));
  await page.click(button(word("envelopes:wizard.look.show")));
  await page.see(byRole("combobox", word("envelopes:wizard.look.recipient")));
  await inspect("several, settings");
}

/** What was sent to several recipients, on home. */
async function tourGroups({ page, word, inspect }: Tour): Promise<void> {
  const ids: number[] = [];
  for (const year of [2021, 2022, 2023, 2024, 2025, 2026]) {
    const { id } = await page.api<{ id: number }>("POST", "/api/requests/bulk", {
      envelope: {
        subject: `Einkommensteuererklärung ${year}`,
        documents: [{ name: "Lohnsteuerbescheinigung" }],
      },
      recipients: [{ recipientName: "Änne Weiß", recipientEmail: `aenne${year}@example.com` }],
    });
    ids.push(id);
  }
  await page.goto(`/?bulkId=${ids[0]}`);
  await page.see(byRole("progressbar", word("envelopes:tabs.completed")));
  await page.see(button(word("envelopes:deleteNamed")));
  await inspect("envelopes of a group");
}
