import { codeOf } from "../../api/two-factor";
import { button, field, heading } from "../page";
import { dialog, type Tour } from "./tour";

/** The screens of a second factor: setting it up, the questions over a page, and the second step of signing in. */
export async function tourSecurity({ page, word, inspect }: Tour): Promise<void> {
  await page.goto("/profile#two-factor");
  await page.see(button(word("profile:twoFactor.setUp")));
  await rejectOnce(page, "/two-factor/totp", { code: "second_factor_setup_required" });
  await page.click(button(word("profile:twoFactor.setUp")));
  await page.see(heading(word("security:required.title")));
  await inspect("second factor required");
  await page.goto("/profile");
  await page.click(button(word("profile:twoFactor.setUp")));
  await page.see(field(word("profile:twoFactor.code")));
  await inspect("authenticator app");
  const secret = await page.tab.evaluate(
    `(async () => document.querySelector("[role=dialog] [readonly]").value)()`,
  );
  await page.fill(
    word("profile:twoFactor.code"),
    codeOf(secret.replaceAll(" ", ""), new Date().toISOString()),
  );
  await page.press("Enter");
  await page.see(button(word("profile:twoFactor.copy")));
  await inspect("recovery codes");
  await page.click(button(word("profile:twoFactor.saved")));
  await page.gone(dialog);
  await page.see(button(word("profile:twoFactor.renew")));
  await inspect("settings, second factor");

  const methods = ["password", "totp", "mail", "recovery_code", "passkey"];
  await rejectOnce(page, "/recovery-codes", { code: "reauthentication_required", methods });
  await page.click(button(word("profile:twoFactor.renew")));
  await page.see(heading(word("confirmation:title")));
  await inspect("confirmation");

  const { email } = await page.api<{ email: string }>("GET", "/api/user");
  await page.api("POST", "/api/logout");
  await page.goto("/auth");
  await page.fill(word("auth:email"), email);
  await page.fill(word("auth:password"), "correct horse");
  await page.press("Enter");
  await page.see(heading(word("auth:secondStep.title")));
  await inspect("second step");
}

/** Rejects the next call of this path. The server's clock cannot be set here. */
async function rejectOnce(page: Tour["page"], path: string, body: object): Promise<void> {
  const json = JSON.stringify(JSON.stringify({ message: "", ...body }));
  await page.tab.evaluate(`(async () => {
    // The waiting button's spinner would never come to rest.
    const still = new CSSStyleSheet();
    still.replaceSync(".animate-spin { animation: none }");
    document.adoptedStyleSheets = [still];
    const send = window.fetch;
    window.fetch = (...call) => {
      if (!String(call[0].url ?? call[0]).endsWith("${path}")) return send(...call);
      window.fetch = send;
      return Promise.resolve(new Response(${json}, { status: 403 }));
    };
    return "";
  })()`);
}
