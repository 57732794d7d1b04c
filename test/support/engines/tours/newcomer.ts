import { button, byRole, heading, text } from "../page";
import { dialog, type Tour } from "./tour";

/** The signed-in screens of an account that has not begun: empty pages and onboarding. */
export async function tourNewcomer({ page, word, inspect }: Tour): Promise<void> {
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
