import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type FileStore,
  type Progress,
  type ResumableFile,
  type ResumableFileStore,
  UploadLostError,
} from "../../worker/ports/file-store";
import { readAll, seededBytes } from "../support/files/bytes";

export type OpenResumableStore = {
  store: ResumableFileStore;
  /** A second server on the same files. */
  other: ResumableFileStore;
  files: FileStore;
  /** The number of unfinished multipart uploads in the store, if it uses them. */
  openUploads(): Promise<number>;
  close(): unknown;
};

const MIB = 1024 * 1024;
const NEW: Progress = { offset: 0, state: "" };
const LARGEST = seededBytes(20 * MIB);
/** The first of always the same bytes. */
const bytesOf = (length: number) => LARGEST.subarray(0, length);
const FAR_AHEAD = new Date("2100-01-01");

/** The contract of every store of resumable files. */
export function resumableStoreSuite(name: string, open: () => Promise<OpenResumableStore>): void {
  describe(`resumable file store: ${name}`, () => {
    let opened: OpenResumableStore;
    let keys = 0;
    const nextKey = () => `arriving-${++keys}.pdf`;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    /** Writes the bytes after the progress in one request. @returns every reported progress, the last one at the end */
    async function append(file: ResumableFile, bytes: Uint8Array, store = opened.store, chunk = MIB) {
      const reported: Progress[] = [];
      const writer = await store.append(file, async (progress) => {
        reported.push(progress);
      });
      for (let at = 0; at < bytes.length; at += chunk) await writer.write(bytes.slice(at, at + chunk));
      return { reported, writer };
    }
    async function appendWhole(file: ResumableFile, bytes: Uint8Array, store = opened.store) {
      const { writer } = await append(file, bytes, store);
      return { ...file, ...(await writer.end()) };
    }
    const get = async (key: string) => {
      const stream = await opened.files.read(key);
      return stream && readAll(stream);
    };
    async function expectFinished(file: ResumableFile, bytes: Uint8Array) {
      expect(file.offset).toBe(bytes.length);
      await opened.store.finish(file);
      const read = await get(file.key);
      expect(read?.length).toBe(bytes.length);
      expect(Bun.hash(read ?? "")).toBe(Bun.hash(bytes));
    }

    test("a multipart upload that the store has aborted is reported as lost, at the next part and at the end", async () => {
      const file = { key: nextKey(), size: 20 * MIB, ...NEW };
      const begun = await appendWhole(file, bytesOf(10 * MIB));
      if ((await opened.openUploads()) === 0) return opened.store.abandon(begun.key, begun.state);
      const { state, ...rest } = begun;
      const { tags, uploadId } = JSON.parse(state);
      await opened.store.abandon(begun.key, state);
      // As if the first part ended the file.
      const part = { ...rest, offset: 8 * MIB, state: JSON.stringify({ tags, uploadId, rest: 0 }) };
      const continued = append(part, bytesOf(9 * MIB)).then(({ writer }) => writer.end());
      await expect(continued).rejects.toBeInstanceOf(UploadLostError);
      await expect(opened.store.finish({ ...part, size: 8 * MIB })).rejects.toBeInstanceOf(UploadLostError);
      await opened.store.abandon(begun.key, state);
    });

    const SHAPES = [
      [1, 1],
      [100, 7],
      [8 * MIB, 8 * MIB],
      [16 * MIB, 8 * MIB],
      [9 * MIB + 5, 9 * MIB + 5],
      [17 * MIB + 1, 8 * MIB],
      [9 * MIB + 1, 3 * MIB + 7],
      [17 * MIB + 1, 11 * MIB],
    ] as const;
    test.each(SHAPES)("%i bytes in requests of %i are read as they were sent", async (size, chunk) => {
      const bytes = bytesOf(size);
      let file: ResumableFile = { key: nextKey(), size, ...NEW };
      for (let at = 0; at < size; at += chunk) {
        const store = (at / chunk) % 2 ? opened.other : opened.store;
        file = await appendWhole(file, bytes.subarray(at, at + chunk), store);
        expect(file.offset).toBe(Math.min(at + chunk, size));
      }
      await expectFinished(file, bytes);
      await opened.other.finish(file);
      expect(await get(file.key)).toHaveLength(size);
    });

    test("an upload can continue from every saved progress, whatever was written after it", async () => {
      const bytes = bytesOf(20 * MIB);
      const noise = seededBytes(20 * MIB, 7);
      const start = await appendWhole(
        { key: nextKey(), size: bytes.length, ...NEW },
        bytes.subarray(0, 3 * MIB),
      );
      // Each request saves another part of the file and is lost before its end is saved.
      const { reported, writer } = await append(start, bytes.subarray(3 * MIB, 18 * MIB));
      await writer.discard();
      let file: ResumableFile = { ...start, ...reported.at(-1) };
      expect(file.offset).toBeGreaterThanOrEqual(start.offset);
      expect(file.offset).toBeLessThanOrEqual(18 * MIB);
      const lost = await append(file, noise.subarray(0, 2 * MIB), opened.other);
      await lost.writer.discard();
      file = { ...file, ...lost.reported.at(-1) };
      file = await appendWhole(file, bytes.subarray(file.offset));
      await expectFinished(file, bytes);
    });

    test("a chunk whose progress was not saved can be sent again", async () => {
      const bytes = bytesOf(12 * MIB);
      const first = await appendWhole(
        { key: nextKey(), size: bytes.length, ...NEW },
        bytes.subarray(0, 2 * MIB),
      );
      await appendWhole(first, bytes.subarray(2 * MIB, 5 * MIB));
      const second = await appendWhole(first, bytes.subarray(2 * MIB, 4 * MIB), opened.other);
      expect(second.offset).toBe(4 * MIB);
      await appendWhole(second, bytes.subarray(4 * MIB));
      await expectFinished(await appendWhole(second, bytes.subarray(4 * MIB)), bytes);
    });

    test("a file whose completion was not saved can be completed again", async () => {
      const bytes = bytesOf(9 * MIB);
      const first = await appendWhole(
        { key: nextKey(), size: bytes.length, ...NEW },
        bytes.subarray(0, 8 * MIB),
      );
      const whole = await appendWhole(first, bytes.subarray(8 * MIB));
      await opened.store.finish(whole);
      await expectFinished(whole, bytes);
    });

    test("bytes written from a reused buffer are stored correctly", async () => {
      const file = { key: nextKey(), size: 50_000, ...NEW };
      const writer = await opened.store.append(file, async () => {});
      const buffer = new Uint8Array(1000);
      for (let round = 0; round < 50; round += 1) await writer.write(buffer.fill(round));
      await opened.store.finish({ ...file, ...(await writer.end()) });
      const read = await get(file.key);
      expect(read?.length).toBe(50_000);
      for (let round = 0; round < 50; round += 1) expect(read?.[round * 1000 + 999]).toBe(round);
    });

    test("an empty request changes nothing", async () => {
      const bytes = bytesOf(5 * MIB);
      const first = await appendWhole({ key: nextKey(), size: bytes.length, ...NEW }, bytes.subarray(0, MIB));
      const same = await appendWhole(first, new Uint8Array(0));
      expect(same).toEqual(first);
      await expectFinished(await appendWhole(same, bytes.subarray(MIB)), bytes);
    });

    test.each([0, 5, 8 * MIB, 9 * MIB, 10 * MIB])(
      "an abandoned file of %i B leaves nothing",
      async (sent) => {
        const bytes = bytesOf(10 * MIB);
        const before = await opened.openUploads();
        let file: ResumableFile = { key: nextKey(), size: bytes.length, ...NEW };
        if (sent > 0) file = await appendWhole(file, bytes.subarray(0, sent));
        if (sent === bytes.length) await opened.store.finish(file);
        await opened.other.abandon(file.key, file.state);
        await opened.other.abandon(file.key, file.state);
        expect(await get(file.key)).toBeNull();
        expect(await opened.openUploads()).toBe(before);
        const rest = (await Array.fromAsync(opened.store.listAbandoned(FAR_AHEAD))).flat();
        expect(rest.map(({ key }) => key)).not.toContain(file.key);
      },
    );

    test("a file with fewer bytes than its offset is reported as lost", async () => {
      const file = { key: nextKey(), size: 100, offset: 10, state: "" };
      await expect(opened.store.append(file, async () => {})).rejects.toBeInstanceOf(UploadLostError);
      const begun = await appendWhole({ ...file, offset: 0 }, bytesOf(10));
      await opened.store.abandon(begun.key, "");
      await expect(opened.store.append(begun, async () => {})).rejects.toBeInstanceOf(UploadLostError);
    });

    test("an invalid key is rejected", async () => {
      for (const key of ["", "..", "../up", "a/b", ".hidden", "nul\0"]) {
        await expect(opened.store.append({ key, size: 1, ...NEW }, async () => {})).rejects.toThrow(
          "Not a file key",
        );
        await expect(opened.store.abandon(key, "")).rejects.toThrow("Not a file key");
      }
    });
  });
}
