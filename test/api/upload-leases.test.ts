import { afterAll, beforeEach, expect, test } from "bun:test";
import {
  deleteUploadLease,
  insertUploadLease,
  listUnknownKeys,
  revokeUploadLease,
} from "../../db/queries/upload-leases";
import { maintainUploadLease, UNLIMITED } from "../../worker/features/files/upload-lease";
import { startRevokingLeases } from "../../worker/jobs/cleanup";
import { HOUR_MS } from "../../worker/lib/durations";
import type { FileWriter } from "../../worker/ports/file-store";
import { createProcessMemory } from "../../worker/process-memory";
import { type Api, type ApiResponse, createClient, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile, pngFile, sha256 } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { TEST_START } from "../support/runtime/runtime";
import { startClamdServer } from "../support/servers/clamd-server";

const clamd = await startClamdServer();
afterAll(() => clamd.stop());
const clamavUrl = clamd.url;

const leases = (api: Pick<Api, "select">) => api.select("select * from upload_leases");

/** Submits, and runs `meanwhile` after the files are stored and before they are scanned or recorded. */
async function submitSlowly(api: Api, envelope: ApiResponse["body"], meanwhile: () => Promise<unknown>) {
  const scanner = clamd.pause();
  const response = api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
  await scanner.waiting;
  await meanwhile();
  scanner.resume();
  return response;
}

describeApi("running uploads", { clamavUrl, uploadLeases: { renewMs: 50, expireMs: 1500 } }, (api) => {
  let owner: SignedUp;
  beforeEach(async () => {
    owner = await api.signUp();
  });
  const read = async ({ id }: { id: number }) => (await owner.get(`/api/requests/${id}`)).body;

  test("keep their files while the scanner is slow, jobs run and the clock jumps", async () => {
    const envelope = await sendEnvelope(owner);
    const response = await submitSlowly(api, envelope, async () => {
      expect(await leases(api)).toHaveLength(1);
      for (const time of ["2026-04-20T12:00:00.000Z", "2026-03-04T12:00:00.000Z"]) {
        await api.setClock(time);
        await api.runJobs();
      }
      await api.setClock(TEST_START);
    });
    expect(response.status).toBe(201);
    await owner.post("/api/login", { email: owner.email, password: owner.password });
    const [file] = (await read(envelope)).submissions;
    expect(await sha256(await owner.bytes(file.url))).toBe(await sha256(pdfFile()));
    expect(await leases(api)).toEqual([]);
  });

  test("are rejected if a document was added or changed meanwhile, and nothing is stored", async () => {
    const changes = [
      [{ name: "Contract" }, { name: "Passport", required: true }],
      [{ name: "Contract", description: "Signed on each page" }],
      [{ name: "Contract", required: true }],
      [{ name: "Contract", allowedFileTypes: ["png"] }],
      [{ name: "Contract of 2026" }],
    ];
    for (const documents of changes) {
      const envelope = await sendEnvelope(owner);
      const before = await api.storedFiles();
      const response = await submitSlowly(api, envelope, () =>
        owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, documents }),
      );
      expect([response.status, response.body.code]).toEqual([409, "envelope_changed"]);
      expect(await api.storedFiles()).toEqual(before);
      expect((await read(envelope)).status).toBe("pending");
    }
    expect(await leases(api)).toEqual([]);
  });

  test("succeed if only the message was changed meanwhile", async () => {
    const envelope = await sendEnvelope(owner);
    const response = await submitSlowly(api, envelope, () =>
      owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, message: "Please hurry" }),
    );
    expect(response.status).toBe(201);
  });

  test('of an envelope that was deleted meanwhile return "not found"', async () => {
    const envelope = await sendEnvelope(owner);
    const before = await api.storedFiles();
    const response = await submitSlowly(api, envelope, () => owner.delete(`/api/requests/${envelope.id}`));
    expect([response.status, response.body.code]).toEqual([404, "submission_not_found"]);
    expect(await api.storedFiles()).toEqual(before);
  });

  test('of an envelope that was completed meanwhile return "completed"', async () => {
    const envelope = await sendEnvelope(owner);
    const scanner = clamd.pause();
    const submit = () => api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    const both = [submit(), submit()];
    await scanner.waiting;
    scanner.resume();
    const responses = await Promise.all(both);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 410]);
  });
});

describeApi(
  "uploads whose lease expires, as after a paused process",
  { clamavUrl, uploadLeases: { renewMs: 1_000_000, expireMs: 100 } },
  (api) => {
    test("are not acknowledged: their files are gone, and the link stays open", async () => {
      const owner = await api.signUp();
      const envelope = await sendEnvelope(owner);
      const response = await submitSlowly(api, envelope, async () => {
        expect(await api.storedFiles()).toHaveLength(1);
        await api.runJobs();
        expect(await api.storedFiles()).toEqual([]);
      });
      expect([response.status, response.body.code]).toBeOneOf([
        [503, "unavailable"],
        [500, "internal"],
      ]);
      expect((await owner.get(`/api/requests/${envelope.id}`)).body.status).toBe("pending");
      expect(await leases(api)).toEqual([]);
      const again = await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
      expect(again.status).toBe(201);
    });

    test("are not acknowledged for a picture either, and the previous one stays", async () => {
      const owner = await api.signUp();
      const { body } = await owner.post("/api/user/avatar", form({ avatar: pngFile() }));
      const scanner = clamd.pause();
      const response = owner.post("/api/user/avatar", form({ avatar: pngFile() }));
      await scanner.waiting;
      await api.runJobs();
      scanner.resume();
      expect((await response).status).toBe(503);
      await api.runJobs();
      expect((await owner.get("/api/user")).body.avatarUrl).toBe(body.avatarUrl);
      expect((await owner.get(body.avatarUrl)).status).toBe(200);
    });
  },
);

test("files of dead processes are removed, complete or partial; those of live ones and new ones without a lease stay", async () => {
  const runtime = await startBunRuntime({ uploadLeases: { renewMs: 50, expireMs: 1500 } });
  const { db, files, log } = runtime.deps;
  const ids = ["d".repeat(16), "l".repeat(16)] as const;
  const writers: FileWriter[] = [];
  for (const id of ids) {
    await insertUploadLease(db, { id, keyPrefix: id, bytes: 0 });
    await (await files.create(`${id}-whole.pdf`)).commit();
    writers.push(await files.create(`${id}-half.pdf`));
  }
  await (await files.create("of-no-lease.pdf")).commit();
  await createClient(runtime).post("/api/register", { email: "ada@example.com", password: "long enough" });
  const living = maintainUploadLease(
    { db, log, memory: createProcessMemory(), renewMs: 50 },
    ids[1],
    UNLIMITED,
  );

  await runtime.runJobs();
  await runtime.finishBackgroundWork();

  expect((await runtime.storedFiles()).sort()).toEqual([`${ids[1]}-whole.pdf`, "of-no-lease.pdf"]);
  expect(await files.listUnfinished()).toEqual([`${ids[1]}-half.pdf`]);
  expect((await leases(runtime)).map(({ id }) => id)).toEqual([ids[1]]);
  living.stop();
  await deleteUploadLease(db, ids[1]);
  for (const writer of writers) await writer.abort();
  await runtime.stop();
});

test("a revoked lease whose process died is cleaned up by the next", async () => {
  const runtime = await startBunRuntime({ uploadLeases: { renewMs: 50, expireMs: 100 } });
  const { db, files } = runtime.deps;
  const id = "r".repeat(16);
  await insertUploadLease(db, { id, keyPrefix: id, bytes: 0 });
  await (await files.create(`${id}.pdf`)).commit();
  await revokeUploadLease(db, id);
  await runtime.runJobs();
  await runtime.finishBackgroundWork();
  expect([await runtime.storedFiles(), await leases(runtime)]).toEqual([[], []]);
  await runtime.stop();
});

test("an old file of an ended lease is of unknown origin; a new one is moved aside: the database may be a copy", async () => {
  const runtime = await startBunRuntime();
  const { deps } = runtime;
  const moved: string[] = [];
  for (const [id, isOld] of [
    ["o".repeat(16), true],
    ["n".repeat(16), false],
  ] as const) {
    const key = `${id}.pdf`;
    await insertUploadLease(deps.db, { id, keyPrefix: id, bytes: 0 });
    await revokeUploadLease(deps.db, id);
    await (await deps.files.create(key)).commit();
    const files: typeof deps.files = {
      ...deps.files,
      olderThan: async (keys, age) => (isOld && age <= HOUR_MS ? [...keys] : []),
      removeOrphans: async (keys) => void moved.push(...keys),
    };
    await startRevokingLeases({ ...deps, files });
    expect(await listUnknownKeys(deps.db, [key])).toEqual([key]);
  }
  expect(moved).toEqual([`${"n".repeat(16)}.pdf`]);
  expect(await runtime.storedFiles()).toHaveLength(2);
  await runtime.stop();
});

test("a database without accounts, such as a wrong one, removes no file", async () => {
  const runtime = await startBunRuntime();
  await (await runtime.deps.files.create("somebody-elses.pdf")).commit();
  await runtime.runJobs();
  expect(await runtime.storedFiles()).toEqual(["somebody-elses.pdf"]);
  await runtime.stop();
});
