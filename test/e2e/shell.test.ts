import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { PASSWORD, PHONE, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

test("every protected page requires a sign-in, any other path is not found", async () => {
  const { page } = await site.visit("/auth", { statuses: [404] });
  for (const path of ["/", "/templates", "/contacts", "/integrations", "/profile"]) {
    await page.goto(site.url + path);
    await page.waitForURL(/\/auth/);
  }
  await page.goto(`${site.url}/no/such/page`);
  await page.getByRole("heading", { level: 1, name: "404 Page Not Found" }).waitFor();
  await page.getByText("Did you forget to add the page to the router?").waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("the navigation leads everywhere, marks the current page and has its title read out", async () => {
  const { page } = await site.signUp("nav@example.com");
  const navigation = page.getByRole("navigation");
  const pages = [
    ["Templates", "/templates"],
    ["Contacts", "/contacts"],
    ["Integrations", "/integrations"],
    ["Settings", "/profile"],
    ["Doculopes", "/"],
  ] as const;
  for (const [name, path] of pages) {
    await navigation.getByRole("link", { name }).click();
    await page.waitForURL(site.url + path);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await navigation.locator('[aria-current="page"]').allInnerTexts()).toEqual([name]);
    const title = name === "Doculopes" ? name : `${name} | Doculopes`;
    await page.getByRole("status").getByText(title, { exact: true }).waitFor();
  }
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("a page whose script a newer version has removed asks for a reload", async () => {
  const { page, problems, expectStatus } = await site.signUp("outdated@example.com");
  expectStatus(404);
  const script = /\/assets\/contacts-[^/]*\.js$/;
  await page.route(script, (route) => route.fulfill({ status: 404 }));
  await page.getByRole("navigation").getByRole("link", { name: "Contacts" }).click();
  await page.getByText(/perhaps because there is a new version\. Please reload the page/).waitFor();
  await page.unroute(script);
  await page.getByRole("button", { name: "Reload the page" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  // The router logs what it could not load.
  problems.length = 0;
}, 120_000);

function isWithinParent(element: Element | null): boolean {
  const [box, parent] = [element, element?.parentElement].map((one) => one?.getBoundingClientRect());
  return box && parent ? box.top >= parent.top && box.bottom <= parent.bottom : false;
}

test("a workspace is created, selected and stored as selected; its lists reload", async () => {
  const { page } = await site.signUp("spaces@example.com");
  await page.request.post(`${site.url}/api/requests`, { data: { isDraft: true, subject: "In the first" } });
  await page.reload();
  await page.getByRole("link", { name: "In the first" }).waitFor();
  await page.getByRole("button", { name: "Create Workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Workspace" });
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Name is required").waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByLabel("Name").fill("Tax season");
  await dialog.getByLabel("Description").fill("2026");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByText("Workspace created", { exact: true }).waitFor();
  await page.getByText("Your new workspace has been created successfully", { exact: true }).waitFor();
  await page.getByText("No Doculopes yet").waitFor();
  for (let number = 1; number <= 9; number += 1)
    await page.request.post(`${site.url}/api/workspaces`, { data: { name: `Client ${number}` } });
  await page.reload();
  const chooser = page.getByRole("button", { name: "Workspace Tax season" });
  await chooser.click();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("option").first().waitFor({ state: "detached" });
  await chooser.press("ArrowDown");
  await page.getByRole("option", { name: "Tax season", selected: true }).waitFor();
  // The active option is scrolled into view.
  for (const [key, name] of [
    ["End", "Client 9"],
    ["Home", "My Workspace"],
  ] as const) {
    await page.keyboard.press(key);
    await page.waitForFunction(isWithinParent, await page.getByRole("option", { name }).elementHandle());
  }
  await page.getByRole("option", { name: "My Workspace" }).click();
  await page.getByRole("button", { name: "Workspace My Workspace" }).waitFor();
  await page.getByRole("link", { name: "In the first" }).waitFor();
  // Selecting a workspace again reloads its lists.
  for (const workspace of ["Tax season", "My Workspace"]) {
    const loaded = page.waitForResponse((response) => response.url().includes("/api/requests?"));
    await page.getByRole("button", { name: /^Workspace/ }).click();
    await page.getByRole("option", { name: workspace }).click();
    await loaded;
  }
  await page.getByRole("link", { name: "In the first" }).waitFor();
}, 120_000);

test("a new browser opens the workspace that was selected last, and a mail's link the envelope's", async () => {
  const email = `elsewhere-${crypto.randomUUID()}@example.com`;
  const { page } = await site.signUp(email);
  const first = await page.request.post(`${site.url}/api/requests`, {
    data: { isDraft: true, subject: "In the first" },
  });
  const remembered = page.waitForResponse((response) => response.url().endsWith("/select"));
  await page.getByRole("button", { name: "Create Workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Workspace" });
  await dialog.getByLabel("Name").fill("Tax season");
  await dialog.getByRole("button", { name: "Create" }).click();
  expect((await remembered).status()).toBe(204);

  const { page: fresh } = await site.visit("/auth");
  await fresh.getByLabel("Email").fill(email);
  await fresh.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await fresh.getByRole("button", { name: "Sign In", exact: true }).click();
  await fresh.getByRole("button", { name: "Workspace Tax season" }).waitFor();
  await fresh.getByText("No Doculopes yet").waitFor();
  await fresh.goto(`${site.url}/?envelope=${(await first.json()).id}`);
  await fresh.getByRole("dialog").waitFor();
  await fresh.keyboard.press("Escape");
  await fresh.getByRole("button", { name: "Workspace My Workspace" }).waitFor();
  await fresh.getByRole("link", { name: "In the first" }).waitFor();
}, 120_000);

test("what is typed after the key of the search, while its code is loading, stands in its field", async () => {
  const { page } = await site.openAccount("typist@example.com");
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  const field = page.getByRole("dialog", { name: "Search" }).getByRole("combobox", { name: "Search for" });
  let load = () => {};
  const isTyped = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route("**/*.js", async (route) => {
    await isTyped;
    await route.continue();
  });
  await page.keyboard.press("/");
  await page.keyboard.type("new te");
  load();
  await waitForFocus(field);
  await page.keyboard.type("mpl");
  expect(await field.inputValue()).toBe("new templ");
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await waitForFocus(field);
  expect(await field.inputValue()).toBe("");
}, 120_000);

test("one search, by Ctrl+K and by a slash, finds envelopes, contacts, templates and actions, with the words marked", async () => {
  const { page } = await site.openAccount("finder@example.com");
  await page.request.post(`${site.url}/api/contacts`, { data: { firstName: "Ada", company: "Taxi" } });
  await page.request.post(`${site.url}/api/templates`, {
    data: { name: "Tax return", fields: [{ name: "a" }] },
  });
  await page.request.post(`${site.url}/api/requests`, {
    data: { recipientName: "Rita", subject: "Papers", documents: [{ name: "Tax form" }], isDraft: true },
  });
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  await page.getByText("Taxi").waitFor();
  await page.keyboard.press("/");
  const dialog = page.getByRole("dialog", { name: "Search" });
  const field = dialog.getByRole("combobox", { name: "Search for" });
  await waitForFocus(field);
  await field.fill("tax");
  for (const name of [/^Papers.*Envelopes/, /^Ada.*Contacts/, /^Tax return.*Templates/])
    await dialog.getByRole("option", { name }).waitFor();
  expect(await dialog.locator("mark").allInnerTexts()).toEqual(["tax", "Tax", "Tax"]);
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("option", { name: /^Ada/ }).click();
  await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();
  await page.keyboard.press("Control+k");
  await waitForFocus(field);
  await field.fill("recurr");
  await dialog.getByRole("option", { name: /^Recurring/ }).waitFor();
  await field.fill("new templ");
  await dialog.getByRole("option", { name: /^New Template/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Create Document Template" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await waitForFocus(field);
  await dialog.getByRole("heading", { name: "Search" }).click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).getByText("Search", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("of many contacts, the search shows those first whose name it is, and leads to all of them", async () => {
  const { page } = await site.openAccount("namesakes@example.com");
  const contacts = [
    "Rita Quast",
    "Karl Quast",
    ...Array.from({ length: 6 }, (_, index) => `Person ${index}`),
  ];
  for (const name of contacts)
    await page.request.post(`${site.url}/api/contacts`, { data: { firstName: name, company: "Quast GmbH" } });
  await page.goto(`${site.url}/`);
  await page.getByText("No Doculopes yet").waitFor();
  await page.keyboard.press("/");
  const dialog = page.getByRole("dialog", { name: "Search" });
  const field = dialog.getByRole("combobox", { name: "Search for" });
  await field.fill("quast");
  const all = dialog.getByRole("option", { name: /^All contacts with “quast”/ });
  await all.waitFor();
  const names = await dialog.getByRole("option").allInnerTexts();
  expect(names.slice(0, 2).map((name) => name.split("\n")[0])).toEqual(["Karl Quast", "Rita Quast"]);
  // What was found before is not shown for other words, while these are searched.
  let search = () => {};
  const isSeen = new Promise<void>((resolve) => {
    search = resolve;
  });
  await page.route("**/api/contacts?*filter=rita*", async (route) => {
    await isSeen;
    await route.continue();
  });
  await field.fill("rita");
  await dialog.getByRole("option", { name: /^Karl/ }).waitFor({ state: "detached" });
  expect(await dialog.getByRole("option", { name: /^Rita/ }).count()).toBe(1);
  search();
  await field.fill("quast");
  await all.click();
  await page.waitForURL(/\/contacts\?filter=quast/);
  await page.getByText("Person 0").waitFor();
}, 120_000);

test("signing out with unsaved settings reaches the sign-in page", async () => {
  const { page } = await site.openAccount("leaving@example.com");
  await page.goto(`${site.url}/profile`);
  await page.getByLabel("First Name").fill("Ada");
  page.on("dialog", (question) => void question.accept());
  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.waitForURL("**/auth");
  await page.getByRole("heading", { name: "Sign in to Doculopes" }).waitFor();
});

test("closing the drawer returns the focus to its button, the first time too", async () => {
  const { page } = await site.signUp("drawer-focus@example.com", PHONE);
  const menu = page.getByRole("button", { name: /menu/ });
  await menu.click();
  await page.getByRole("dialog").getByRole("link", { name: "Contacts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await menu.and(page.locator(":focus")).waitFor();
});

test("on a phone the navigation is in a drawer", async () => {
  const { page } = await site.signUp("phone@example.com", PHONE);
  await page.getByRole("button", { name: /menu/ }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("link", { name: "Contacts" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await drawer.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  await drawer.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /menu/ }).click();
  await drawer.getByRole("searchbox").fill("import");
  await page.keyboard.press("Enter");
  const search = page.getByRole("dialog", { name: "Search" });
  await search.getByRole("status").getByText("Results: 1", { exact: true }).waitFor();
  await search.getByRole("option", { name: "Import contacts" }).click();
  await page.getByRole("dialog", { name: "Import contacts" }).waitFor();
}, 120_000);

test("the theme of a signed-in user is saved on the server", async () => {
  const { page } = await site.signUp("theme@example.com");
  await page.goto(`${site.url}/profile`);
  const saved = page.waitForResponse((response) => response.url().endsWith("/api/user/profile"));
  await page.getByRole("radio", { name: "Dark" }).click();
  expect((await (await saved).json()).themePreference).toBe("dark");
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("an offline notice appears and disappears", async () => {
  const { page } = await site.signUp("offline@example.com");
  await page.getByText("No Doculopes yet").waitFor();
  await page.context().setOffline(true);
  await page.getByText("You are offline.", { exact: false }).waitFor();
  // The end of the sidebar stays on the screen.
  const signOut = await page.getByRole("button", { name: "Sign Out" }).boundingBox();
  const bar = await page.locator("aside").boundingBox();
  expect([(bar?.y ?? 0) + (bar?.height ?? 0), (signOut?.y ?? 9999) < 800]).toEqual([
    page.viewportSize()?.height ?? 0,
    true,
  ]);
  await page.context().setOffline(false);
  await page.getByText("You are offline.", { exact: false }).waitFor({ state: "detached" });
  // A dialog covers the page's notice.
  await page.getByRole("button", { name: "Create Workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Workspace" });
  await dialog.getByLabel("Name").waitFor();
  await page.context().setOffline(true);
  await dialog.getByText("You are offline.", { exact: false }).waitFor();
  await page.context().setOffline(false);
}, 120_000);

test("a contrast theme shows what is selected", async () => {
  const { page } = await site.openAccount("contrast@example.com", { forcedColors: "active" });
  await page.goto(`${site.url}/templates?dialog=new`);
  const required = page.getByRole("switch", { name: "Required" });
  const color = (target: Locator) => target.evaluate((element) => getComputedStyle(element).backgroundColor);
  const off = await color(required);
  await required.click();
  expect(await color(required)).not.toBe(off);
  const links = page.locator("nav a");
  expect(await color(links.and(page.locator("[aria-current]")))).not.toBe(await color(links.first()));
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("reduced motion is respected", async () => {
  const { page } = await site.signUp("calm@example.com", { reducedMotion: "reduce" });
  await page.getByRole("button", { name: "New Envelope" }).click();
  await page.getByRole("dialog", { name: "Create New Envelope" }).waitFor();
  const lasting = await page.evaluate(() =>
    [...document.querySelectorAll("body *")].flatMap((element) => {
      const { animationDuration, transitionDuration } = getComputedStyle(element);
      const longest = Math.max(
        ...`${animationDuration}, ${transitionDuration}`.split(", ").map(Number.parseFloat),
      );
      return longest > 0.001 ? [`${element.tagName} ${longest} s`] : [];
    }),
  );
  expect(lasting).toEqual([]);
  // A duration of any length would start a transition of each element's colors.
  const started = page.evaluate(async () => {
    let count = 0;
    document.addEventListener("transitionrun", () => (count += 1));
    while (document.documentElement.dataset.theme !== "dark") await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    return count;
  });
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await started).toBe(0);
}, 120_000);
