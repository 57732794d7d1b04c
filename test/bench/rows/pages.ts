import { sendEnvelope, signUp } from "../harness/account";
import { load, openBrowser } from "../harness/browser";
import { compare } from "../harness/compare";
import { startApp, startBaseline, withFolder } from "../harness/process";
import type { Finding, Row } from "../harness/row";

const FIELD = "input:not([type=hidden])";

/** What a first visit loads, and when the recipient can start typing on a slow phone. */
export const pages: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const bare = await startBaseline("pages", folder);
    const browser = await openBrowser();
    try {
      const owner = await signUp(app.url, "owner@example.com");
      const link = `${app.url}/submit/${await sendEnvelope(owner, ["Passport"])}`;
      const form = await load(browser, `${bare.url}/static`, { selector: FIELD });
      const floor = await load(browser, `${bare.url}/react`, { selector: FIELD });
      const recipient = await load(browser, link, { selector: FIELD });
      const auth = await load(browser, `${app.url}/auth`, { selector: FIELD });
      const home = await load(browser, `${app.url}/`, { cookie: owner.cookie, selector: "h1" });
      const slow = (url: string) => async () =>
        (await load(browser, url, { slow: true, selector: FIELD })).usable;
      const usable = await compare(3, slow(`${bare.url}/react`), slow(link), 0);
      const stillClaimed = await slow(`${bare.url}/static`)();
      return [
        size("Recipient's page", recipient.kilobytes, 90, { name: "React floor", value: floor.kilobytes }),
        size("The same", recipient.kilobytes, 90, { name: "static form", value: form.kilobytes }),
        { what: "Its requests", unit: "", value: recipient.requests, goal: { of: "value", atMost: 8 } },
        {
          what: "First field, slow 4G, 4x slower CPU",
          unit: "ms",
          value: usable.value,
          baseline: { name: "React floor", value: usable.baseline },
          goal: { of: "ratio", atMost: 1.2 },
        },
        {
          what: "The same",
          unit: "ms",
          value: usable.value,
          baseline: { name: "static form", value: stillClaimed },
        },
        size("Sign-in page", auth.kilobytes, 200),
        size("Requestor's home, signed in", home.kilobytes, 200),
      ];
    } finally {
      await browser.close();
    }
  });

const size = (
  what: string,
  value: number,
  atMost: number,
  baseline?: { name: string; value: number },
): Finding => ({ what, unit: "KB", value, baseline, goal: { of: "value", atMost } });
