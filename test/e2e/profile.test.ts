import { expect, test } from "bun:test";
import type { ElementHandle } from "playwright-core";
import { PASSWORD, PHONE, violations, waitForFocus } from "../support/browser/browser";
import { holdNextCall } from "../support/browser/held-call";
import { ownAddress } from "../support/browser/own-address";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

test("the profile is validated and saved; a rejection keeps the input", async () => {
  const taken = await site.signUp("taken@example.com");
  const { page, email } = await site.signUp("profile@example.com", { statuses: [409] });
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  const section = page.getByRole("region", { name: "Profile", exact: true });
  const phone = section.getByLabel("Phone Number");
  expect(await phone.getAttribute("placeholder")).toBe("+1234567890");
  await section.getByText("Include country code (e.g., +1 for US)", { exact: true }).waitFor();
  const save = section.getByRole("button", { name: "Save Changes" });
  await section.getByLabel("Email").fill("nobody");
  await phone.fill("+0123");
  await save.click();
  await section.getByText("Invalid email address", { exact: true }).waitFor();
  await section.getByText("Invalid phone number format", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);

  await section.getByLabel("Email").fill(taken.email);
  await phone.fill("+15551234567");
  await section.getByLabel("First Name").fill("Ada");
  await section.getByLabel("Last Name").fill("Lovelace");
  await section.getByLabel("Company Name").fill("Engines");
  await save.click();
  await page.getByText("Update failed", { exact: true }).waitFor();
  await page.getByText("An account with this email already exists", { exact: true }).waitFor();
  expect(await section.getByLabel("First Name").inputValue()).toBe("Ada");

  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
  await section.getByLabel("Email").fill(email);
  const release = await holdNextCall(page, "**/api/user/profile");
  await save.press("Enter");
  await section.getByLabel("Company Name").fill("Typed meanwhile");
  release();
  await page.getByText("Profile updated", { exact: true }).waitFor();
  expect(await section.getByLabel("Company Name").inputValue()).toBe("Typed meanwhile");
  const saved = page.waitForResponse((response) => response.url().endsWith("/api/user/profile"));
  await save.press("Enter");
  expect((await saved).ok()).toBe(true);
  await waitForFocus(save);
  await page.getByRole("complementary").getByText("Ada", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  expect(await (await page.request.get(`${site.url}/api/user`)).json()).toMatchObject({
    firstName: "Ada",
    phoneNumber: "+15551234567",
  });
}, 120_000);

test("an address that is not verified says so, and the mail can be sent again", async () => {
  const { page, email } = await site.openAccount("verify@example.com");
  await page.goto(`${site.url}/profile`);
  await page.getByText("Not verified", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Resend" }).click();
  await page.getByText("Verification email sent", { exact: true }).waitFor();
  const token = (await site.mailedLink(email, "verify")).split("/").at(-1);
  await page.request.post(`${site.url}/api/user/verify`, { data: { token } });
  await page.reload();
  await page.getByText("Verified", { exact: true }).waitFor();
}, 120_000);

test("saving completes an unfinished onboarding and leads home", async () => {
  const { page } = await site.visit("/auth", { statuses: [500] });
  await page.request.post(`${site.url}/api/register`, {
    data: { email: ownAddress("open@example.com"), password: PASSWORD },
  });
  await page.goto(`${site.url}/profile`);
  await page.getByLabel("First Name").fill("Ada");
  await page.route("**/complete-onboarding", (route) => route.fulfill({ status: 500, body: "" }), {
    times: 1,
  });
  await page.getByRole("button", { name: "Get Started" }).click();
  await page.getByText("Error completing onboarding", { exact: true }).waitFor();
  const completing = page.waitForRequest("**/complete-onboarding");
  await page.getByRole("button", { name: "Get Started" }).click();
  expect((await completing).postData()).toBeNull();
  await page.waitForURL(`${site.url}/`);
  await page.getByText("No Doculopes yet").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
}, 120_000);

test("the picture is cropped as a circle, moved by keys, and uploaded", async () => {
  const { page } = await site.signUp("picture@example.com");
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByText("JPG, GIF or PNG. Max size of 5MB.", { exact: true }).waitFor();
  const picture = { name: "me.png", mimeType: "image/png", buffer: await page.screenshot() };
  const choose = async (file = picture) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Change Picture" }).click();
    await (await chooser).setFiles(file);
  };
  await choose();
  const dialog = page.getByRole("dialog", { name: "Crop Profile Picture" });
  const preview = dialog.getByRole("img", { name: "Preview" });
  await preview.waitFor();
  expect((await preview.boundingBox())?.width).toBe(80);
  expect((await dialog.boundingBox())?.width).toBeLessThanOrEqual(600);
  expect(await violations(page)).toEqual([]);

  const area = dialog.getByRole("group", { name: /Crop area/ });
  const left = async () => Math.round((await area.boundingBox())?.x ?? 0);
  const box = await area.boundingBox();
  expect(Math.round(box?.width ?? 0)).toBe(Math.round(box?.height ?? 1));
  expect(await area.evaluate((element) => getComputedStyle(element).borderRadius)).toBe("50%");
  const pixels = () => preview.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  const before = await pixels();
  const start = await left();
  const untilAt = async (x: number) =>
    page.waitForFunction(([element, x]) => Math.round(element.getBoundingClientRect().x) === x, [
      (await area.elementHandle()) as ElementHandle<HTMLElement>,
      x,
    ] as const);
  await area.focus();
  await page.keyboard.press("ArrowRight");
  await untilAt(start + 1);
  await page.keyboard.press("Shift+ArrowRight");
  await untilAt(start + 11);
  await page.keyboard.press("Control+ArrowRight");
  await untilAt(start + 111);
  expect(await pixels()).not.toBe(before);

  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Avatar updated", { exact: true }).waitFor();
  await dialog.waitFor({ state: "detached" });
  const { avatarUrl } = await (await page.request.get(`${site.url}/api/user`)).json();
  const stored = await page.evaluate(async (url: string) => {
    const blob = await (await fetch(url)).blob();
    const image = await createImageBitmap(blob);
    return { type: blob.type, square: image.width === image.height, width: image.width };
  }, avatarUrl);
  expect(stored).toEqual({ type: "image/jpeg", square: true, width: 256 });

  await choose();
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
  await page.waitForURL(`${site.url}/profile`);
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
}, 120_000);

test("an invalid picture is reported in a dialog, a failed upload in a toast", async () => {
  const { page } = await site.openAccount("broken@example.com", { statuses: [500] });
  await page.goto(`${site.url}/profile`);
  const chooseFile = async (buffer: Buffer) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Change Picture" }).click();
    await (await chooser).setFiles({ name: "me.png", mimeType: "image/png", buffer });
  };
  const failure = page.getByRole("alertdialog");
  const expectError = async (text: string) => {
    await failure.getByText(text, { exact: true }).waitFor();
    await failure.getByRole("button", { name: "Close" }).click();
    await failure.waitFor({ state: "detached" });
  };
  await chooseFile(Buffer.from("not a picture"));
  await expectError("Failed to load image");

  await chooseFile(await page.screenshot());
  const save = page.getByRole("dialog").getByRole("button", { name: "Save" });
  await page.evaluate(() => {
    const { toBlob } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.toBlob = (callback) => {
      HTMLCanvasElement.prototype.toBlob = toBlob;
      callback(null);
    };
  });
  await save.click();
  await expectError("Failed to create blob");
  await page.evaluate(() => {
    const { drawImage } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.drawImage = () => {
      CanvasRenderingContext2D.prototype.drawImage = drawImage;
      throw new Error("broken");
    };
  });
  await save.click();
  await expectError("Failed to crop image");
  await page.route("**/api/user/avatar", (route) => route.fulfill({ status: 500, body: "" }), { times: 1 });
  await save.click();
  await page.getByText("Upload failed", { exact: true }).waitFor();
  await page.getByText("Failed to upload avatar", { exact: true }).waitFor();
  await save.click();
  await page.getByText("Avatar updated", { exact: true }).waitFor();
}, 120_000);

test("the password is validated and changed", async () => {
  const { page } = await site.openAccount("password@example.com", { statuses: [400] });
  await page.goto(`${site.url}/profile#password`);
  const section = page.getByRole("region", { name: "Change Password" });
  await section.waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "password");
  const current = section.getByLabel("Current Password");
  const fresh = section.getByLabel("New Password", { exact: true });
  const confirm = section.getByLabel("Confirm New Password");
  const change = section.getByRole("button", { name: "Change Password" });
  for (const description of ["Current Password", "New Password", "Confirm New Password"])
    await section.getByRole("button", { name: "Show password", description, exact: true }).waitFor();
  await fresh.fill("short");
  await change.click();
  await section.getByText("Current password is required", { exact: true }).waitFor();
  await section.getByText("Password must be at least 6 characters", { exact: true }).waitFor();
  await current.fill("wrong");
  await fresh.fill("another horse");
  await confirm.fill("another house");
  await change.click();
  await section.getByText("Passwords don't match", { exact: true }).waitFor();
  await confirm.fill("another horse");
  await change.click();
  await page.getByText("Password change failed", { exact: true }).waitFor();
  // In the toast, as specified, and at its field.
  await page
    .getByRole("region", { name: "Notifications" })
    .getByText("Current password is incorrect", { exact: true })
    .waitFor();
  const field = page.getByLabel("Current Password", { exact: true });
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await fresh.inputValue()).toBe("another horse");
  await current.fill(PASSWORD);
  await change.click();
  await page.getByText("Password updated", { exact: true }).waitFor();
  expect(await fresh.inputValue()).toBe("");
}, 120_000);

test("language and theme apply immediately and are saved in the account", async () => {
  const { page } = await site.signUp("speaks@example.com", { colorScheme: "light" });
  await page.goto(`${site.url}/profile`);
  const section = page.getByRole("region", { name: "Display, time zone and mails" });
  const saved = () =>
    page.waitForResponse((response) => response.url().endsWith("/api/user/profile") && response.ok());
  for (const [name, theme] of [
    ["Dark", "dark"],
    ["System", "system"],
    ["Light", "light"],
  ] as const) {
    const response = saved();
    await section.getByRole("radio", { name }).click();
    expect((await (await response).json()).themePreference).toBe(theme);
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe(theme);
  }
  for (const [label, value, stored] of [
    ["Mails about submissions", "daily", { submissionMails: "daily" }],
    ["Time of the daily mail", "17", { digestHour: 17 }],
  ] as const) {
    const response = saved();
    await section.getByLabel(label, { exact: true }).selectOption(value);
    expect(await (await response).json()).toMatchObject(stored);
  }
  const language = section.getByLabel("Language", { exact: true });
  expect(await language.locator("option").count()).toBe(7);
  const response = saved();
  await language.focus();
  await language.selectOption({ label: "Deutsch" });
  expect((await (await response).json()).languagePreference).toBe("de");
  await page.waitForFunction(() => document.documentElement.lang === "de");
  await waitForFocus(page.getByLabel("Sprache", { exact: true }));
  expect(await page.evaluate(() => localStorage.getItem("i18nextLng"))).toBe("de");
}, 120_000);

test("the account is deleted after a second confirmation", async () => {
  const { page, email } = await site.openAccount("leaving@example.com", { statuses: [500] });
  await page.goto(`${site.url}/profile`);
  const openQuestion = () =>
    page.getByRole("region", { name: "Danger Zone" }).getByRole("button", { name: "Delete Account" }).click();
  const question = page.getByRole("alertdialog");
  const sentence =
    "This action cannot be undone. This will permanently delete your account and all associated data.";
  await openQuestion();
  await question.getByText(sentence, { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.route("**/api/user/account", (route) => route.fulfill({ status: 500, body: "" }), { times: 1 });
  await openQuestion();
  await question.getByRole("button", { name: "Delete Account" }).click();
  await page.getByText("Delete failed", { exact: true }).waitFor();
  await page.getByText("Failed to delete account", { exact: true }).waitFor();
  await openQuestion();
  await question.getByRole("button", { name: "Delete Account" }).click();
  await page.waitForURL(`${site.url}/auth`);
  await page.getByText("Account deleted", { exact: true }).waitFor();
  const login = await page.request.post(`${site.url}/api/login`, {
    data: { email, password: PASSWORD },
  });
  expect(login.status()).toBe(401);
}, 120_000);

test("the settings have no accessibility violation and do not scroll sideways on a phone", async () => {
  const { page } = await site.openAccount("barrier@example.com", PHONE);
  await page.goto(`${site.url}/profile`);
  await page.getByRole("region", { name: "Danger Zone" }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
}, 120_000);

test("links lead to the sections of the settings, and keep what was typed", async () => {
  const { page } = await site.openAccount("sections@example.com", PHONE);
  await page.goto(`${site.url}/profile`);
  await page.getByLabel("Last Name").fill("Unsaved");
  const links = page.getByRole("list", { name: "Sections of this page" });
  await links.getByRole("link", { name: "Deletion" }).click();
  await waitForFocus(page.getByRole("region", { name: "Danger Zone" }));
  await links.getByRole("link", { name: "Name and address" }).click();
  await waitForFocus(page.getByRole("region", { name: "Profile", exact: true }));
  expect(await page.getByLabel("Last Name").inputValue()).toBe("Unsaved");
}, 120_000);

test("linked providers are listed, and all but the last can be unlinked", async () => {
  const { page } = await site.signUp("linked@example.com", PHONE);
  let linked = ["google", "github"];
  await page.route("**/api/user/providers*", (route) =>
    route.fulfill({
      json: linked.map((provider) => ({
        provider,
        createdAt: "2026-03-14T09:26:53.000Z",
        removable: linked.length > 1,
      })),
    }),
  );
  await page.route("**/api/user/providers/google", (route) => {
    linked = ["github"];
    return route.fulfill({ status: 204 });
  });
  await page.goto(`${site.url}/profile`);
  const section = page.getByRole("region", { name: "Linked sign-ins" });
  await section.getByRole("button", { name: "Unlink GitHub" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await section.getByRole("button", { name: "Unlink Google" }).click();
  await page.getByText("The service was unlinked", { exact: true }).waitFor();
  await section.getByText("This is your only way to sign in", { exact: false }).waitFor();
  expect(await section.getByRole("button").count()).toBe(0);
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Linked sign-ins");
}, 120_000);

test("a list of the settings that fails to load can be tried again, and an empty one says so", async () => {
  const { page, expectStatus } = await site.signUp("lists@example.com");
  expectStatus(500);
  const lists = {
    "/api/passkeys": ["Passkeys", "Your passkeys could not be loaded", "Add a passkey"],
    "/api/user/sessions": ["Where you are signed in", "Your devices could not be loaded", "This device"],
    "/api/user/sign-ins": [
      "Recent sign-ins",
      "Your sign-ins could not be loaded",
      "No sign-ins are recorded yet.",
    ],
    "/api/user/providers": [
      "Linked sign-ins",
      "Your linked sign-ins could not be loaded",
      "No service is linked.",
    ],
  } as const;
  const failing = new Set(Object.keys(lists));
  await page.route("**/api/auth/providers", (route) => route.fulfill({ json: ["google"] }));
  await page.route(
    ({ pathname }) => pathname in lists,
    (route) => {
      const { pathname } = new URL(route.request().url());
      if (failing.has(pathname)) return route.fulfill({ status: 500, body: "" });
      if (pathname === "/api/user/sessions") return route.continue();
      return route.fulfill({ json: [] });
    },
  );
  await page.goto(`${site.url}/profile`);
  for (const [path, [title, failed, empty]] of Object.entries(lists)) {
    const section = page.getByRole("region", { name: title, exact: true });
    await section.getByText(failed, { exact: true }).waitFor();
    failing.delete(path);
    await section.getByRole("button", { name: "Try again" }).click();
    await section.getByText(empty).first().waitFor();
  }
}, 120_000);
