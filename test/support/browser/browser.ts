import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
import { file } from "bun";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from "playwright-core";
import { findUserByEmail, updateUser } from "../../../db/queries/users";
import { buildWeb } from "../../../web/build";
import { openResources } from "../../../worker/adapters/bun/resources";
import { startBunServer } from "../../../worker/bun";
import { readVariables } from "../../../worker/config";
import type { Dependencies } from "../../../worker/dependencies";
import { createScryptHasher } from "../../../worker/lib/password";
import { type Clock, systemClock } from "../../../worker/ports/clock";
import type { Mail, Mailer } from "../../../worker/ports/mailer";
import { onCleanup } from "../cleanup";
import { createMemoryLogger } from "../memory/memory-logger";
import { createMemoryMailer } from "../memory/memory-mailer";
import { writeMigrated } from "../runtime/migrated";
import { waitFor } from "../wait";
import { findChromium } from "./find-chromium";
import { freeAddresses, ownAddress } from "./own-address";

export const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const DESKTOP = { viewport: { width: 1440, height: 900 } };
/** With animations. The CPU paints each of their frames, so only tests of dialogs and toasts, and `engines/`, have them. */
export const MOVING = { reducedMotion: "no-preference" } as const;
const STILL = { reducedMotion: "reduce" } as const;

/** Options of a visit; `statuses` are failures that the test causes on purpose. */
export type VisitOptions = BrowserContextOptions & {
  statuses?: readonly number[];
  /** Leaves the address of a new account unproved. */
  unproved?: boolean;
};

/** A page that records what the browser reports and where it navigates. */
export type Visitor = {
  page: Page;
  problems: string[];
  /** Failures that the test causes on purpose: the browser logs each response of 400 and above. */
  expectStatus: (...statuses: number[]) => void;
};

export type TestSite = {
  url: string;
  /** The path of the newest link of this kind mailed to the address; waits for it. */
  mailedLink: (
    to: string,
    kind:
      | "reset"
      | "verify"
      | "revert-email"
      | "release-email"
      | "restore-owner"
      | "submit"
      | "invite"
      | "unsubscribe",
  ) => Promise<string>;
  /** Has the address of an account proved. */
  prove: (email: string) => Promise<void>;
  /** A separate visitor: new cookies, new storage. */
  visit: (path: string, options?: VisitOptions) => Promise<Visitor>;
  /** A visitor with a new account whose address is proved, on no page yet. The address is that of this attempt (`ownAddress`). */
  openAccount: (address: string, options?: VisitOptions) => Promise<Visitor & { email: string }>;
  /** The same on the home page. */
  signUp: (address: string, options?: VisitOptions) => Promise<Visitor & { email: string }>;
  /** Begins an attempt at a test. */
  beginAttempt: () => void;
  /** Closes the pages that the attempt opened; throws if any visitor had a problem in it. */
  endAttempt: () => Promise<void>;
  /** Closes everything; throws if any visitor had a problem. */
  stop: () => Promise<void>;
};

export const PASSWORD = "correct horse";

/** The built app on a running server; `mails` are the sent ones, oldest first. */
export type SiteServer = {
  url: string;
  mails: () => Promise<Pick<Mail, "to" | "subject" | "text">[]>;
  /** Has the address of an account proved; absent where no mail is configured. */
  prove?: (email: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** Replacements for the site's own parts. */
type GivenParts = {
  /** The data folder of a server that was stopped. It is not removed. */
  folder?: string;
  /** Its URL, if it differs from the server's own. */
  publicUrl?: string;
  clock?: Clock;
  mailer?: Mailer & { sent: Mail[] };
  clamavUrl?: string;
  maxFileMb?: number;
  /** Further variables, by their names. */
  variables?: Record<string, string>;
  /** Fills the data folder before the server starts, whose first job removes files without a row. */
  seed?: (deps: Pick<Dependencies, "db" | "files" | "clock" | "log" | "passwordHasher">) => Promise<unknown>;
};

/** The built app under Bun with its own folder, and with the test's clock, mailer and scanner if given. */
export async function startBunSite(given: GivenParts = {}): Promise<SiteServer & { deps: Dependencies }> {
  await buildWeb();
  if (!given.folder) freeAddresses();
  const folder = given.folder ?? (await mkdtemp(join(tmpdir(), "doculopes-browser-")));
  const { mailer = createMemoryMailer(), clock, clamavUrl: CLAMAV_URL, maxFileMb = 5, seed } = given;
  const variables = readVariables({
    PORT: "0",
    DATA_DIR: folder,
    PUBLIC_URL: given.publicUrl,
    RATE_LIMITS: "off",
    MAX_FILE_MB: String(maxFileMb),
    CLAMAV_URL,
    ...given.variables,
  });
  const passwordHasher = createScryptHasher({ ln: 4, r: 1, p: 1 });
  const log = createMemoryLogger();
  if (!given.folder) await writeMigrated(join(folder, "doculopes.db"));
  if (seed) {
    const tools = { clock: clock ?? systemClock, log, rulesInMemory: [] };
    const resources = await openResources(variables, tools);
    await seed({ ...resources, ...tools, passwordHasher });
    resources.close();
  }
  const server = await startBunServer(variables, { mailer, ...(clock && { clock }), log, passwordHasher });
  return {
    url: server.url,
    deps: server.deps,
    mails: async () => mailer.sent,
    async prove(email) {
      const account = await findUserByEmail(server.deps.db, email);
      if (account) await updateUser(server.deps.db, account.id, { verifiedByOwner: true });
    },
    async stop() {
      await server.stop();
      if (!given.folder) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The built app on a real server (Bun's by default) and Chromium. */
export async function startTestSite(
  startServer: () => Promise<SiteServer> = startBunSite,
): Promise<TestSite> {
  const server = await startServer();
  let visitors: Visitor[] = [];
  /** Those that were there before the attempt. */
  let lasting: Visitor[] = [];
  const endAttempt = async () => {
    const problems = visitors.flatMap((visitor) => visitor.problems.splice(0));
    for (const { page } of visitors.filter((visitor) => !lasting.includes(visitor)))
      await page.context().close();
    visitors = lasting;
    if (problems.length > 0) throw new Error(`The browser complained:\n${problems.join("\n")}`);
  };

  const open = async (options?: VisitOptions) => {
    const visitor = await openVisitor(await sharedBrowser(), server.url, options);
    visitors = [...visitors, visitor];
    visitor.expectStatus(...(options?.statuses ?? []));
    return visitor;
  };
  const visit = async (path: string, options?: VisitOptions) => {
    const visitor = await open(options);
    await visitor.page.goto(server.url + path);
    return visitor;
  };
  const openAccount = async (address: string, options?: VisitOptions) => {
    const email = ownAddress(address);
    const visitor = await open(options);
    const { request } = visitor.page;
    const response = await request.post(`${server.url}/api/register`, {
      data: { email, password: PASSWORD },
    });
    if (!response.ok()) throw new Error(`The account was not made: ${await response.text()}`);
    if (!options?.unproved) await server.prove?.(email);
    await request.post(`${server.url}/api/user/complete-onboarding`, { data: {} });
    return { ...visitor, email };
  };
  return {
    url: server.url,
    visit,
    prove: async (email) => server.prove?.(email),
    mailedLink: (to, kind) => findLink(server.mails, to, kind),
    openAccount,
    async signUp(address, options) {
      const visitor = await openAccount(address, options);
      await visitor.page.goto(`${server.url}/`);
      await visitor.page.getByRole("heading", { level: 1 }).waitFor();
      return visitor;
    },
    beginAttempt() {
      lasting = visitors;
    },
    endAttempt,
    async stop() {
      lasting = [];
      await endAttempt().finally(() => server.stop());
    },
  };
}

let browser: Browser | undefined;

/** The browser of this process, since starting one takes a third of a second. Another is started should it crash. */
async function sharedBrowser(): Promise<Browser> {
  if (browser?.isConnected()) return browser;
  const started = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  onCleanup(() => started.close());
  browser = started;
  return started;
}

async function findLink(mails: SiteServer["mails"], to: string, kind: string): Promise<string> {
  return waitFor(`a ${kind} link mailed to ${to}`, async () => {
    const mail = (await mails()).findLast(
      (candidate) => candidate.to === to && candidate.text.includes(`/${kind}/`),
    );
    return mail && new RegExp(`/${kind}/[\\w-]+`).exec(mail.text)?.[0];
  });
}

/** The requests of each page that have no response yet. */
const openRequests = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page): void {
  const open = new Set<Request>();
  openRequests.set(page, open);
  page.on("request", (request) => open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
}

/** Waits until the page shows everything: no request is open, and none follows from what was rendered. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  const open = openRequests.get(page);
  await waitFor("the page to be loaded", async () => {
    if (open?.size) return undefined;
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const waiting = await page.locator(".shimmer:visible, .animate-spin:visible").count();
    return (!open?.size && waiting === 0) || undefined;
  });
}

async function openVisitor(browser: Browser, site: string, options?: VisitOptions): Promise<Visitor> {
  const { statuses: _expected, ...wanted } = options ?? {};
  const context = await browser.newContext({ locale: "en-GB", ...DESKTOP, ...STILL, ...wanted });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  watchRequests(page);
  // The browser passes choosers on some time after the first listener is added, which would be too late for a test that
  // adds it with the click.
  page.on("filechooser", () => {});
  const problems: string[] = [];
  const expected = new Set<number>();
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // The script of `page.clock`, in the sandboxed preview of a mail, which is blank at first.
    if (/^Blocked script execution in 'about:(?:blank|srcdoc)'/.test(message.text())) return;
    const status = /responded with a status of (\d+)/.exec(message.text())?.[1];
    if (!status || !expected.has(Number(status))) problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.stack ?? error}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(site) && !/^(?:data|blob):/.test(url))
      problems.push(`${page.url()} asked for ${url}`);
  });
  return {
    page,
    problems,
    expectStatus(...statuses) {
      for (const status of statuses) expected.add(status);
    },
  };
}

let script: Promise<string> | undefined;

/** axe for a page. `axe.source` is not minified, and takes a browser nearly twice the time. */
function axeScript(): Promise<string> {
  script ??= file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();
  return script;
}

/** The rules that axe checks. */
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * What axe reports for the current page, as short lines. Themes differ in colours only, which `test/web/contrast.test.ts`
 * compares for each.
 */
export async function violations(page: Page): Promise<string[]> {
  const hasAxe = await page.evaluate(async () => {
    const deadline = performance.now() + 30_000;
    while (document.getAnimations().some(({ playState }) => playState === "running")) {
      if (performance.now() > deadline) throw new Error("An animation does not end");
      await new Promise(requestAnimationFrame);
    }
    return "axe" in window;
  });
  // AxeBuilder would open a second page, and load axe into both each time: seven times the CPU. There are no frames.
  if (!hasAxe) await page.evaluate(await axeScript());
  const options: RunOptions = { runOnly: AXE_TAGS, resultTypes: ["violations"] };
  const found = await page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, given);
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target }) => ({ target })) }));
  }, options);
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** Waits until the element has the focus, which often moves shortly after it is visible. */
export async function waitForFocus(target: Locator): Promise<void> {
  const element = await target.elementHandle();
  await target.page().waitForFunction((wanted) => wanted === document.activeElement, element);
}

/**
 * Chooses the last option of the open list with the keyboard. Before a click, Playwright would scroll the page to bring
 * the option into view, and the list moves some frames later: perhaps between pressing and releasing the button.
 */
export async function chooseLastOption(page: Page, name: string): Promise<void> {
  await page.getByRole("listbox").press("End");
  await page.locator("[role=option][data-focus]", { hasText: name }).waitFor();
  await page.getByRole("listbox").press("Enter");
}
