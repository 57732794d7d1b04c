import { button, byRole, heading } from "../page";
import type { Tour } from "./tour";

/** The pages that need no account, except the recipient's. */
export async function tourVisitor({ page, word, inspect }: Tour): Promise<void> {
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
  await page.goto("/restore-owner/none");
  await page.see(heading(word("auth:restoreOwner.title")));
  await inspect("role of an owner, to be taken back");
  await page.goto("/unsubscribe/none");
  await page.see(heading(word("auth:verify.failedTitle")));
  await inspect("mails of a sender, unknown link");
  await page.goto("/verify/none");
  await page.click(button(word("auth:verify.submit")));
  await page.see(heading(word("auth:verify.failedTitle")));
  await inspect("verified address, rejected");
  await page.goto("/invite/none");
  await page.see(heading(word("auth:verify.failedTitle")));
  await inspect("invitation, used");
  await page.goto("/reset/none");
  await page.see(heading(word("auth:reset.title")));
  await inspect("new password");
  await page.goto("/submit/none");
  await page.see(heading(word("submit:invalid.title")));
  await inspect("invalid link");
}
