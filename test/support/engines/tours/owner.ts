import { DEMO_USER } from "../../../../worker/cli/seed/demo-data";
import { button, byRole, heading, text } from "../page";
import { type EnvelopeIds, listNamed, tourEnvelopes } from "./envelopes";
import { dialog, listButton, listed, question, type Tour } from "./tour";

const WINDOW = [1280, 800] as const;

/** Every page and dialog of an account with data. `picture` is an image file. */
export async function tourOwner(
  tour: Tour,
  { picture, ...envelopes }: EnvelopeIds & { picture: string },
): Promise<void> {
  await tourEnvelopes(tour, envelopes);
  await tourLists(tour);
  await tourIntegrations(tour);
  await tourAdministration(tour);
  await tourWorkspace(tour);
  await tourSettings(tour, picture);
  await tourShell(tour);
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
  await page.goto("/contacts");
  await page.click(byRole("radio", word("contacts:view.list")));
  await page.see(button(word("contacts:deleteNamed")));
  await inspect("contacts, list");
  await page.goto("/contacts?dialog=import");
  await page.see(button(word("lists:paste")));
  await page.choose("input[type=file]", listNamed("problems"));
  await page.see(text(word("lists:wrong_one")));
  await inspect("contacts, import");
  const [contact] = await page.api<{ id: number; firstName: string }[]>("GET", "/api/contacts?limit=1");
  await page.goto(`/contacts/${contact?.id}`);
  await page.see(heading(word("contacts:page.documents")));
  await inspect("contact");
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
  await page.see(text(word("destinations:empty")));
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
  await page.press("Escape");
  await page.gone(dialog);
  await page.click(button(word("destinations:add")));
  await page.see(text(word("destinations:kinds.webdav.text")));
  await inspect("kinds of destinations");
  await page.press("Escape");
  await page.gone(dialog);
}

async function tourSettings({ page, word, inspect }: Tour, picture: string): Promise<void> {
  await page.goto("/profile");
  await page.see(heading(word("profile:danger.title")));
  await inspect("settings");
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

async function tourWorkspace({ page, word, inspect }: Tour): Promise<void> {
  await page.goto("/workspace");
  await page.see(heading(word("workspace:delete.title")));
  await inspect("workspace");
  await page.open(listButton(word("workspace:retention.label")), listed);
  await page.press("ArrowDown");
  await page.press("Enter");
  await page.see(question);
  await inspect("workspace, retention");
  await page.press("Escape");
  await page.gone(question);
  await page.fill(
    word("workspace:invite.email"),
    "maximiliane.freifrau.von.donnersmarck@schwarzenberg.example.com",
  );
  await page.press("Enter");
  await page.see(button(word("workspace:invite.revokeNamed")));
  await inspect("workspace, invited");
  await page.click(button(word("workspace:delete.submit")));
  await page.see(question);
  await inspect("delete workspace");
  await page.press("Escape");
  await page.gone(question);
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
