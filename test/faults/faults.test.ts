import { beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../support/temporary-folder";
import { connections } from "./rows/connections";
import { ioError } from "./rows/io-error";
import { killAtCall } from "./rows/kill-at-call";
import { locked } from "./rows/locked";
import { memberRaces } from "./rows/member-races";
import { canMount, noSpace } from "./rows/no-space";
import { twoProcesses } from "./rows/two-processes";
import { hasStrace } from "./strace";

/** The short form of each row. Rows that need more than Bun run if the machine has it. */

setDefaultTimeout(300_000);

let folder: string;
beforeEach(async () => {
  folder = makeFolder();
});

const short = () => ({ folder, seed: 6, long: false });

test("while another process locks the database, reads continue, and writes wait and then get 503 with Retry-After", async () => {
  const { measured, problems } = await locked(short());
  expect(problems).toEqual([]);
  expect(measured["first writes after the release that were taken"]).toBe(1);
  expect(measured["writes rejected"]).toBeGreaterThan(0);
});

test("a server that is killed beside another on the same folder loses nothing and leaves the other's uploads alone", async () => {
  const { measured, problems } = await twoProcesses(short());
  expect(problems).toEqual([]);
  expect(measured["slow uploads"]).toBe(3);
});

test("whoever is removed has no access from the response on, and a workspace keeps an owner, on two servers", async () => {
  const { measured, problems } = await memberRaces(short());
  expect(problems).toEqual([]);
  expect(measured["calls after"]).toBeGreaterThan(0);
});

test("silent, partial, slow and aborted connections do not affect others and leave nothing behind", async () => {
  const { measured, problems } = await connections(short());
  expect(problems).toEqual([]);
  expect(measured["of them broken off"]).toBeGreaterThan(0);
});

if (hasStrace()) {
  test("a server that is killed at any writing system call loses nothing acknowledged", async () => {
    const { measured, problems } = await killAtCall(short());
    expect(problems).toEqual([]);
    expect(measured.killed).toBeGreaterThan(0);
  });

  test("a disk that fails at fsync, rename or write is reported, and nothing is acknowledged", async () => {
    const { measured, problems } = await ioError(short());
    expect(problems).toEqual([]);
    expect(measured.rejected).toMatch(/upload 50[37].*row 50[37]/);
  });
}

if (canMount(mkdtempSync(join(tmpdir(), "doculopes-mount-")))) {
  test("a full disk is reported, reads continue, and writes resume once there is space", async () => {
    const { measured, problems } = await noSpace(short());
    expect(problems).toEqual([]);
    expect(measured.rejected).toMatch(/upload 507.*row 507/);
  });
}
