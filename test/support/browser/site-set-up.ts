import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { type SiteServer, startTestSite, type TestSite } from "./browser";
import { openRequestor, type Requestor } from "./submit-page";

const START_MS = 240_000;

/** Starts the site before the tests of a file, and stops it after them. */
export function setUpTestSite(startServer?: () => Promise<SiteServer>): TestSite {
  const site = {} as TestSite;
  beforeAll(async () => {
    Object.assign(site, await startTestSite(startServer));
  }, START_MS);
  beforeEach(() => site.beginAttempt());
  afterEach(() => site.endAttempt(), START_MS);
  afterAll(() => site.stop?.(), START_MS);
  return site;
}

/** The site with a signed-in requestor. */
export function setUpRequestor(
  address: string,
  startServer?: () => Promise<SiteServer>,
): { site: TestSite; requestor: Requestor } {
  const site = setUpTestSite(startServer);
  const requestor = {} as Requestor;
  beforeAll(async () => {
    Object.assign(requestor, await openRequestor(site, address));
  }, START_MS);
  return { site, requestor };
}
