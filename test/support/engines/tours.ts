import { DEMO_USER, DEMO_WORKSPACES } from "../../../db/seed/demo-data";
import { button, byRole, type EnginePage, field, heading, text } from "./page";
import type { Appearance, startDemoSite } from "./site";
import type { Engine } from "./tab";
import { type Word, wordsOf } from "./words";

/** Called at every screen and dialog, once nothing moves, with its name. */
export type Inspect = (name: string, options?: { below: number }) => Promise<void>;

type Tour = { page: EnginePage; word: Word; inspect: Inspect };
type Site = Awaited<ReturnType<typeof startDemoSite>>;

const WINDOW = [1280, 800] as const;

/** Opens every page and dialog as an owner with data, as a new user and as a recipient, and calls `watch` at each. */
export async function tourAll(
  site: Site,
  engine: Engine,
  appearance: Appearance,
  watch: (page: EnginePage) => Inspect,
): Promise<void> {
  const word = wordsOf(appearance.language);
  const owner = await site.visitAsOwner(engine, appearance);
  const envelopes = await site.envelopes(owner);
  await tourOwner({ page: owner, word, inspect: watch(owner) }, { ...envelopes, picture: site.picture });
  await owner.tab.close();
  const newcomer = await site.visitAsNewcomer(engine, appearance);
  await tourNewcomer({ page: newcomer, word, inspect: watch(newcomer) });
  await newcomer.tab.close();
  const visitor = await site.visit(engine, appearance);
  await tourVisitor({ page: visitor, word, inspect: watch(visitor) });
  await tourRecipient({ page: visitor, word, inspect: watch(visitor) }, { ...envelopes, file: site.pdf });
  await visitor.tab.close();
}

const dialog = byRole("dialog");
const question = byRole("alertdialog");
/** An entry of an open list; the role alone would find those of a closed select, too. */
const listed = { css: "[role=option]" };
/** The button of a list box, which is named by its label and its value. */
const listButton = (label: RegExp) => button(new RegExp(`${label.source.slice(0, -1)} `));

/** The pages that need no account, except the recipient's. */
async function tourVisitor({ page, word, inspect }: Tour): Promise<void> {
  await page.goto("/auth");
  await page.see(heading(word("auth:welcome")));
  await inspect("sign in");
  await page.click(byRole("tab", word("auth:createAccount")));
  await page.see(heading(word("auth:welcomeNew")));
  await page.click(byRole("button", word("auth:createAccount")));
  await inspect("create account, rejected");
  await page.goto("/auth?mode=forgot");
  await page.see(heading(word("auth:forgot.title")));
  await page.fill(word("auth:email"), "maximiliane.freifrau.von.donnersmarck@schwarzenberg.example.com");
  await page.press("Enter");
  await page.see(heading(word("auth:forgot.sentTitle")));
  await inspect("forgotten password, link sent");
  await page.goto("/revert-email/none");
  await page.see(heading(word("auth:revertEmail.title")));
  await inspect("change of the address, to be undone");
  await page.goto("/verify/none");
  await page.click(button(word("auth:verify.submit")));
  await page.see(heading(word("auth:verify.failedTitle")));
  await inspect("verified address, rejected");
  await page.goto("/reset/none");
  await page.see(heading(word("auth:reset.title")));
  await inspect("new password");
  await page.goto("/submit/none");
  await page.see(heading(word("submit:invalid.title")));
  await inspect("invalid link");
}

/** The recipient's page from the first step to the end. `file` is the file that is uploaded. */
async function tourRecipient(
  { page, word, inspect }: Tour,
  { token, expired, file }: { token: string; expired: string; file: string },
): Promise<void> {
  await page.goto(`/submit/${token}`);
  await page.see(text(new RegExp(DEMO_USER.email)));
  await page.click(button(word("submit:next")));
  await page.see(text(word("submit:information.nameMissing")));
  await inspect("your information, rejected");
  await page.fill(word("submit:information.name"), "Maximiliane Freifrau von Donnersmarck-Schwarzenberg");
  await page.fill(word("submit:information.email"), "maximiliane@example.com");
  await page.click(button(word("submit:next")));
  await page.see(heading(word("submit:steps.documents")));
  await inspect("upload documents");
  await page.choose("input[type=file]", file);
  await page.see(button(word("submit:documents.replaceNamed")));
  await inspect("upload documents, one chosen");
  await page.click(button(word("submit:next")));
  await page.see(heading(word("submit:steps.review")));
  await inspect("review");
  await page.click(button(word("submit:submit")));
  await page.see(heading(word("submit:complete.title")));
  await inspect("submission complete");
  await page.goto(`/submit/${token}`);
  await page.see(heading(word("submit:expired.title")));
  await inspect("submission completed before");
  await page.goto(`/submit/${expired}`);
  await page.see(heading(word("submit:expired.title")));
  await inspect("submission expired");
}

/** The signed-in screens of an account that has not begun: empty pages and onboarding. */
async function tourNewcomer({ page, word, inspect }: Tour): Promise<void> {
  await page.goto("/");
  await page.see(heading(word("onboarding:welcome.heading")));
  await inspect("onboarding, welcome");
  await page.click(button(word("onboarding:next")));
  await page.fill(word("onboarding:about.firstName"), "Ada");
  await inspect("onboarding, about");
  await page.click(button(word("onboarding:next")));
  await page.see(heading(word("onboarding:usage.heading")));
  await page.click(byRole("radio", word("onboarding:usage.usageTypes.business")));
  await page.click(byRole("radio", word("onboarding:usage.documentTypes.tax_documents")));
  await inspect("onboarding, usage");
  await page.click(button(word("onboarding:next")));
  await page.see(heading(word("onboarding:ready.heading")));
  await inspect("onboarding, ready");
  await page.click(button(word("onboarding:finish")));
  await page.gone(dialog);
  await inspect("no envelopes");
  await page.goto("/contacts");
  await page.see(text(word("contacts:empty.title")));
  await inspect("no contacts");
  await page.goto("/nowhere");
  await page.see(heading(word("common:notFound.title")));
  await inspect("not found");
}

/** Every page and dialog of an account with data. `picture` is an image file. */
async function tourOwner(
  tour: Tour,
  ids: { pending: number; completed: number; draft: number; picture: string },
): Promise<void> {
  const { page, word, inspect } = tour;
  await page.goto("/");
  await page.see(button(word("envelopes:deleteNamed")));
  await inspect("envelopes");
  await page.goto("/?filter=zzz");
  await page.see(text(word("envelopes:noResults")));
  await inspect("envelopes, none found");
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
  await tourLists(tour);
  await tourIntegrations(tour);
  await tourAdministration(tour);
  await tourSettings(tour, ids.picture);
  await tourShell(tour);
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
    ["download", dialog],
    ["delete", question],
  ] as const) {
    await page.click(button(word(`envelopes:bulk.${action}.action`)));
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
  await page.see(button(word("review:editNamed")));
  await inspect("completed envelope, a return to send");
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
  await page.click(listButton(word("envelopes:wizard.template")));
  await page.see(listed);
  await inspect("wizard, templates");
  await page.press("Escape");
  await page.gone(listed);
  await page.click(button(word("envelopes:wizard.next")));
  await page.see(field(word("envelopes:wizard.expiration")));
  await inspect("wizard, settings");
}

async function tourLists({ page, word, inspect }: Tour): Promise<void> {
  for (const [path, namespace] of [
    ["/templates", "templates"],
    ["/contacts", "contacts"],
  ] as const) {
    await page.goto(path);
    await page.see(button(word(`${namespace}:deleteNamed`)));
    await inspect(namespace);
    await page.goto(`${path}?dialog=new`);
    await page.see(heading(word(`${namespace}:dialog.createTitle`)));
    await inspect(`${namespace}, new`);
  }
}

async function tourIntegrations({ page, word, inspect }: Tour): Promise<void> {
  await page.api("POST", "/api/tokens", {
    name: "Nächtliche Sicherung im Dokumentenverwaltungssystem",
    scope: "read",
  });
  await page.api("POST", "/api/webhooks", {
    url: "http://127.0.0.1:9/dokumentenverwaltungssystem/eingehende-ereignisse?mandant=holm",
    events: ["request.expired"],
  });
  await page.goto("/integrations");
  await page.see(button(word("integrations:tokens.revokeNamed")));
  await page.see(button(word("integrations:webhooks.deleteNamed")));
  await page.click(button(word("integrations:connect")));
  await page.see(text(word("integrations:failedText")));
  await inspect("integrations");
  await page.click(button(word("integrations:tokens.create")));
  await page.see(dialog);
  await inspect("new token");
  await page.press("Escape");
  await page.gone(dialog);
  await page.click(button(word("integrations:webhooks.create")));
  await page.see(dialog);
  await inspect("new webhook");
}

async function tourSettings({ page, word, inspect }: Tour, picture: string): Promise<void> {
  await page.goto("/profile");
  await page.see(heading(word("profile:danger.title")));
  await inspect("settings");
  await page.click(listButton(word("profile:preferences.language")));
  await page.see(listed);
  await inspect("settings, languages");
  await page.press("Escape");
  await page.gone(listed);
  await page.click(listButton(new RegExp(`^${DEMO_WORKSPACES[0]?.name}$`)));
  await page.see(listed);
  await page.press("ArrowDown");
  await page.press("Enter");
  await page.see(question);
  await inspect("settings, retention");
  await page.press("Escape");
  await page.gone(question);
  await page.click(button(word("profile:danger.submit")));
  await page.see(question);
  await inspect("delete account");
  await page.press("Escape");
  await page.gone(question);
  await page.choose("input[type=file]", picture);
  await page.see(heading(word("profile:crop.title")));
  await page.see({ css: ".ReactCrop__crop-selection" });
  await inspect("crop picture");
}

async function tourAdministration({ page, word, inspect }: Tour): Promise<void> {
  await page.goto("/administration");
  await page.see(heading(word("administration:audit.title")));
  await page.see(button(DEMO_USER.email));
  await inspect("administration");
  await page.click(button(DEMO_USER.email));
  await page.see(heading(DEMO_USER.email));
  await inspect("account");
}

async function tourShell({ page, word, inspect }: Tour): Promise<void> {
  await page.goto("/contacts");
  await page.click(button(word("shell:workspace.create")));
  await page.see(heading(word("shell:workspace.create")));
  await inspect("create workspace");
  await page.goto("/contacts");
  await page.click(button(word("shell:support")));
  await page.see(heading(word("support:title")));
  await inspect("help");
  await page.goto("/templates");
  await page.resize(390, 844);
  await page.click(button(word("shell:openMenu")));
  await page.see(dialog);
  await inspect("menu", { below: 1024 });
  await page.resize(...WINDOW);
}
