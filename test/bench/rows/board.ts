import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { openLibsql } from "../../../db/libsql";
import { addEnvelopes, signUp } from "../harness/account";
import { load, openBrowser } from "../harness/browser";
import { startApp, withFolder } from "../harness/process";
import type { Finding, Row } from "../harness/row";

const CLIENTS = 500;
const DOCUMENTS = 20;
const CELL = { selector: "[role=gridcell]" };

/** The board of 500 clients with 20 documents each, most of them to review. */
export const board: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const browser = await openBrowser();
    try {
      const owner = await signUp(app.url, "owner@example.com");
      await addEnvelopes(folder, owner, CLIENTS);
      await addDocuments(folder);
      const home = { cookie: owner.cookie, selector: "tbody tr" };
      const open = { cookie: owner.cookie, ...CELL };
      const without = await load(browser, app.url, home);
      const first = await load(browser, `${app.url}/?view=board`, open);
      const warm = await load(browser, `${app.url}/?view=board`, open);
      let scrolled = { frames: 0, empty: 0 };
      await load(browser, `${app.url}/?view=board`, open, async (page) => {
        await (await page.context().newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 4 });
        scrolled = await emptyFrames(page);
      });
      await app.stop();
      return [
        {
          ...finding("Board of 500 x 20: first cells", "ms", Math.min(first.usable, warm.usable), 500),
          baseline: { name: "home", value: without.usable },
        },
        finding("Its data and code", "KB", first.kilobytes - without.kilobytes, 300),
        finding(`Scrolling with a 4x slower CPU: empty of ${scrolled.frames} frames`, "", scrolled.empty, 0),
      ];
    } finally {
      await browser.close();
    }
  });

const finding = (what: string, unit: string, value: number, atMost: number): Finding => ({
  ...{ what, unit, value },
  goal: { of: "value", atMost },
});

/** The same names in each envelope, with a file for two of three. */
async function addDocuments(folder: string): Promise<void> {
  const { db, close } = await openLibsql({ url: pathToFileURL(join(folder, "doculopes.db")).href });
  const numbers = sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${DOCUMENTS}) select i from n)`;
  await db.run(sql`delete from envelope_documents`);
  await db.run(
    sql`insert into envelope_documents (envelope_id, position, name, required, allowed_file_types) select envelopes.id, n.i, 'Document ' || n.i, 1, '[]' from envelopes, ${numbers} as n`,
  );
  await db.run(
    sql`insert into submissions (envelope_id, envelope_document_id, document_name, file_path, file_name, file_size, mime_type, created_at) select envelope_id, id, name, 'file' || id, 'file.pdf', 10, 'application/pdf', '2026-01-01T00:00:00.000Z' from envelope_documents where id % 3 > 0`,
  );
  close();
}

/** How many frames have no row at some height of the grid, while it is scrolled as fast as a wheel goes. */
async function emptyFrames(page: Page): Promise<{ frames: number; empty: number }> {
  const box = await page.locator("[role=grid]").boundingBox();
  if (!box) throw new Error("There is no grid");
  const watched = page.evaluate(
    ({ x, y, height }) =>
      new Promise<{ frames: number; empty: number }>((resolve) => {
        const began = performance.now();
        const seen = { frames: 0, empty: 0 };
        const frame = (now: number) => {
          const rows = [0.3, 0.6, 0.9].map((part) =>
            document
              .elementFromPoint(x + 60, Math.min(y + height * part, innerHeight - 5))
              ?.closest("[role=row]"),
          );
          seen.frames += 1;
          if (rows.some((row) => !row)) seen.empty += 1;
          if (now - began < 2500) requestAnimationFrame(frame);
          else resolve(seen);
        };
        requestAnimationFrame(frame);
      }),
    box,
  );
  await page.mouse.move(box.x + 400, box.y + 200);
  for (let turn = 0; turn < 20; turn += 1) {
    await page.mouse.wheel(0, 600);
    await page.waitForTimeout(80);
  }
  return watched;
}
