import { expect, test } from "bun:test";
import { makeFolder } from "../support/temporary-folder";
import type { Outcome, Row } from "./row";
import { bulkKills } from "./rows/bulk-kills";
import { deliveryKills } from "./rows/delivery-kills";
import { killDuringSweep } from "./rows/kill-during-sweep";
import { kills } from "./rows/kills";
import { canIsolate, twoHosts } from "./rows/two-hosts";
import { hasStrace } from "./strace";

/**
 * Rows that mostly wait: a server watches the leases of another one for half a minute before it removes leftovers.
 * Therefore they run concurrently.
 */

const TIMEOUT_MS = 200_000;

/** The short form of a row, in its own folder. */
async function short(row: Row): Promise<Outcome> {
  const folder = makeFolder();
  const outcome = await row({ folder, seed: 6, long: false });
  return outcome;
}

test.concurrent(
  "a server that is killed at any moment loses nothing acknowledged and leaves nothing partial",
  async () => {
    const { measured, problems } = await short(kills);
    expect(problems).toEqual([]);
    expect(measured.kills).toBe(4);
    expect(measured.acknowledged).toBeGreaterThan(10);
  },
  TIMEOUT_MS,
);

test.concurrent(
  "a server that is killed during a call for 200 recipients sends to each of them once",
  async () => {
    const { measured, problems } = await short(bulkKills);
    expect(problems).toEqual([]);
    expect(measured.kills).toBe(3);
  },
  2 * TIMEOUT_MS,
);

test.concurrent(
  "a server that is killed while files go to OneDrive and Google Drive delivers each of them once",
  async () => {
    const { measured, problems } = await short(deliveryKills);
    expect(problems).toEqual([]);
    for (const kind of ["microsoft", "google"]) expect(measured[`${kind}, files`]).toBe(20);
  },
  2 * TIMEOUT_MS,
);

if (hasStrace())
  test.concurrent(
    "a cleanup that is killed is finished by the next server",
    async () => {
      const { measured, problems } = await short(killDuringSweep);
      expect(problems).toEqual([]);
      expect(measured["killed while removing"]).toBe(1);
    },
    TIMEOUT_MS,
  );

if (canIsolate())
  test.concurrent(
    "two servers with the same host name and their own process ids leave each other's uploads alone",
    async () => {
      const { measured, problems } = await short(twoHosts);
      expect(problems).toEqual([]);
      expect(measured["slow uploads"]).toBe(1);
    },
    TIMEOUT_MS,
  );
