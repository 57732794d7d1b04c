import { expect, test } from "bun:test";
import { PHONE } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

/* What the first view of a page costs somebody who is signed in and has nothing cached; headers are 11 KB of it. */

const KB = 1024;

const site = setUpTestSite();

test.each([
  ["home", "/", ["/api/requests"], 190, 20],
  ["settings", "/profile", ["/api/user", "/api/workspaces"], 215, 33],
] as const)(
  "the first view of %s requests everything once, and all it can before its script is loaded",
  async (name, path, reads, maxKb, maxRequests) => {
    const { page } = await site.signUp(`${name}@example.com`, PHONE);
    await page.goto(`${site.url}/robots.txt`);
    const html = await (await fetch(site.url + path)).text();
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? "";
    const gate = Promise.withResolvers<void>();
    let released = false;
    await page.route(`**${script}`, async (route) => {
      await gate.promise;
      released = true;
      await route.continue();
    });
    const network = await page.context().newCDPSession(page);
    await network.send("Network.enable");
    await network.send("Network.clearBrowserCache");
    const [early, late]: [string[], string[]] = [[], []];
    let bytes = 0;
    network.on("Network.requestWillBeSent", ({ request: { url } }) => {
      (released ? late : early).push(new URL(url).pathname);
    });
    network.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    const read = Promise.all(
      reads.map((path) => page.waitForResponse((response) => new URL(response.url()).pathname === path)),
    );
    await page.goto(site.url + path, { waitUntil: "commit" });
    await read;
    await page.waitForFunction(() => document.readyState !== "loading");
    gate.resolve();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");

    expect(early).toEqual(
      expect.arrayContaining(["/locales/en/common.json", "/locales/en/shell.json", ...reads]),
    );
    expect(late.filter((path) => !path.startsWith("/api/"))).toEqual([]);
    // The settings ask for the session again, for the name of the OpenID provider.
    const once = [...early, ...late.filter((path) => path !== "/api/session")];
    expect(once.toSorted()).toEqual([...new Set(once)].sort());
    expect(early.length + late.length).toBeLessThanOrEqual(maxRequests);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(maxKb * KB);
    process.stdout.write(`${early.length + late.length} requests, ${(bytes / KB).toFixed(1)} KB\n`);
  },
  120_000,
);
