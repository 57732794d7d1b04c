import { expect, test } from "bun:test";
import { createLoopTurns } from "../../worker/lib/turns";
import { createClient } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";

/** Counts the turns of the event loop until it is stopped. */
function countTurns() {
  let turn = 0;
  const count = () => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  return { turn: () => turn, stop: () => clearImmediate(counting) };
}

test("of several that wait at once, one goes on in each turn of the event loop, in their order", async () => {
  const counted = countTurns();
  const takeTurn = createLoopTurns();
  const went: [name: string, turn: number][] = [];
  const waiting = ["first", "second", "third"].map(async (name) => {
    await takeTurn();
    went.push([name, counted.turn()]);
  });
  await Promise.all(waiting);
  counted.stop();
  expect(went.map(([name]) => name)).toEqual(["first", "second", "third"]);
  expect(new Set(went.map(([, turn]) => turn)).size).toBe(3);
});

test("others have their turn while the contacts or all data of an account are exported", async () => {
  const runtime = await startBunRuntime();
  runtime.deps.takeTurn = createLoopTurns();
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "owner@example.com", password: "a long password" });
  const contacts = Array.from({ length: 100 }, () => ({ firstName: "Ada", notes: "n".repeat(9000) }));
  const megabytes = 8;
  for (let index = 0; index < megabytes; index++)
    await owner.post("/api/contacts/bulk", { contacts, match: "none" });
  for (const path of ["/api/contacts/export.csv", "/api/user/export"]) {
    const counted = countTurns();
    const { text } = await owner.get(path);
    counted.stop();
    expect(text.length).toBeGreaterThan(megabytes * 900_000);
    expect(counted.turn()).toBeGreaterThan(megabytes / 2);
  }
  await runtime.stop();
});

test("others have their turn between the envelopes of an archive", async () => {
  const runtime = await startBunRuntime();
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "owner@example.com", password: "a long password" });
  const ids: number[] = [];
  for (let index = 0; index < 8; index++) {
    const envelope = await sendEnvelope(owner);
    await createClient(runtime).post(linkOf(envelope), form({ Contract: pdfFile() }));
    ids.push(envelope.id);
  }
  let turns = 0;
  runtime.deps.takeTurn = async () => {
    turns += 1;
  };
  expect((await owner.get(`/api/requests/files.zip?ids=${ids.join(",")}`)).status).toBe(200);
  expect(turns).toBeGreaterThan(ids.length);
  await runtime.stop();
});
