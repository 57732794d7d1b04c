import { DEMO_USER } from "../../../../worker/cli/seed/demo-data";
import { button, heading, text } from "../page";
import type { Tour } from "./tour";

/** The recipient's page from the first step to the end. `file` is the file that is uploaded. */
export async function tourRecipient(
  { page, word, inspect }: Tour,
  { token, expired, file }: { token: string; expired: string; file: string },
): Promise<void> {
  await page.goto(`/submit/${token}`);
  await page.see(text(new RegExp(DEMO_USER.email)));
  await page.fill(word("submit:information.name"), " ");
  await page.click(button(word("submit:next")));
  await page.see(text(word("submit:information.nameMissing")));
  await inspect("your information, rejected");
  await page.fill(word("submit:information.name"), "Maximiliane Freifrau von Donnersmarck-Schwarzenberg");
  await page.fill(word("submit:information.email"), "maximiliane@example.com");
  await page.click(button(word("submit:next")));
  await page.see(heading(word("submit:steps.documents")));
  await inspect("upload documents");
  await page.choose("input[type=file]", file);
  await page.see(button(word("submit-steps:documents.replaceNamed")));
  await inspect("upload documents, one chosen");
  await page.click(button(word("submit:next")));
  await page.see(heading(word("submit:steps.review")));
  await inspect("review");
  await page.click(button(word("submit:submit")));
  await page.see(heading(word("submit-steps:complete.title")));
  await inspect("submission complete");
  await page.goto(`/submit/${token}`);
  await page.see(heading(word("submit-steps:expired.title")));
  await inspect("submission completed before");
  await page.goto(`/submit/${expired}`);
  await page.see(heading(word("submit-steps:expired.title")));
  await inspect("submission expired");
}
