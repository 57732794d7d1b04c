import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { FileStore } from "../../worker/ports/file-store";
import { readAll, seededBytes } from "../support/files/bytes";

export type OpenStore = { store: FileStore; close(): unknown };

const MIB = 1024 * 1024;
const CHUNK = 64 * 1024;

/** The contract of every file store. */
export function fileStoreSuite(name: string, open: () => Promise<OpenStore>): void {
  describe(`file store: ${name}`, () => {
    let opened: OpenStore;
    let keys = 0;
    const nextKey = () => `file-${++keys}.pdf`;
    const put = async (key: string, bytes: Uint8Array, chunk = bytes.length > 4 * MIB ? MIB : CHUNK) => {
      const writer = await opened.store.create(key);
      for (let at = 0; at < bytes.length; at += chunk) await writer.write(bytes.subarray(at, at + chunk));
      await writer.end();
      await writer.commit();
    };
    const get = async (key: string, range?: { offset: number; length: number }) => {
      const stream = await opened.store.read(key, range);
      return stream && readAll(stream);
    };
    const listed = async (prefix?: string) =>
      (await Array.fromAsync(opened.store.list(prefix))).flat().sort();

    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    for (const size of [0, 1, CHUNK - 1, CHUNK, 3 * MIB + 7, 20 * MIB + 1]) {
      test(`${size} bytes are read as they were written`, async () => {
        const key = nextKey();
        const bytes = seededBytes(size);
        await put(key, bytes);
        const read = await get(key);
        expect(read?.length).toBe(size);
        expect(Bun.hash(read ?? "")).toBe(Bun.hash(bytes));
        const toSend = await opened.store.read(key, undefined, { toSend: true });
        expect(Bun.hash((toSend && (await readAll(toSend))) ?? "")).toBe(Bun.hash(bytes));
      });
    }

    test("bytes written from a reused buffer are stored correctly", async () => {
      const key = nextKey();
      const buffer = new Uint8Array(1000);
      const writer = await opened.store.create(key);
      for (let round = 0; round < 50; round += 1) await writer.write(buffer.fill(round));
      await writer.commit();
      const read = await get(key);
      expect(read?.length).toBe(50_000);
      for (let round = 0; round < 50; round += 1) expect(read?.[round * 1000 + 999]).toBe(round);
    });

    test("a committed file can be read immediately, without a call of end", async () => {
      const key = nextKey();
      const writer = await opened.store.create(key);
      await writer.write(seededBytes(10));
      await writer.commit();
      expect(await get(key)).toEqual(seededBytes(10));
    });

    test("a file cannot be read before it is committed", async () => {
      const key = nextKey();
      const writer = await opened.store.create(key);
      await writer.write(seededBytes(CHUNK));
      expect(await get(key)).toBeNull();
      await writer.commit();
      expect(await get(key)).toHaveLength(CHUNK);
    });

    for (const size of [0, CHUNK, 20 * MIB]) {
      for (const ended of [false, true]) {
        test(`an aborted file of ${size} bytes${ended ? ", ended before," : ""} leaves nothing behind`, async () => {
          const key = nextKey();
          const before = await listed();
          const writer = await opened.store.create(key);
          const bytes = seededBytes(Math.min(size, MIB));
          for (let at = 0; at < size; at += MIB) await writer.write(bytes);
          if (ended) await writer.end();
          await writer.abort();
          await writer.abort();
          expect(await get(key)).toBeNull();
          expect(await listed()).toEqual(before);
        });
      }
    }

    test("many files can be written concurrently", async () => {
      const batch = Array.from({ length: 12 }, (_, index) => ({ key: nextKey(), index }));
      await Promise.all(batch.map(({ key, index }) => put(key, seededBytes(200_000, index + 1), 7_001)));
      for (const { key, index } of batch)
        expect(Bun.hash((await get(key)) ?? "")).toBe(Bun.hash(seededBytes(200_000, index + 1)));
    });

    test("a range returns exactly its bytes", async () => {
      const key = nextKey();
      const bytes = seededBytes(MIB);
      await put(key, bytes);
      const ranges = [
        [0, 1],
        [0, MIB],
        [12_345, 300_000],
        [MIB - 1, 1],
      ] as const;
      for (const [offset, length] of ranges)
        expect(Bun.hash((await get(key, { offset, length })) ?? "")).toBe(
          Bun.hash(bytes.subarray(offset, offset + length)),
        );
    });

    test("a reader that stops midway affects nothing else", async () => {
      const key = nextKey();
      await put(key, seededBytes(2 * MIB));
      const reader = (await opened.store.read(key))?.getReader();
      expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
      await reader?.cancel();
      expect(await get(key)).toHaveLength(2 * MIB);
    });

    test("a missing file reads as null", async () => {
      expect(await opened.store.read("nobody-wrote-this.pdf")).toBeNull();
      expect(await opened.store.read("nobody-wrote-this.pdf", { offset: 0, length: 1 })).toBeNull();
    });

    test("removed files are gone, and removing missing ones is not an error", async () => {
      const [one, other] = [nextKey(), nextKey()];
      await put(one, seededBytes(10));
      await put(other, seededBytes(10));
      await opened.store.remove([one, "nobody-wrote-this.pdf"]);
      await opened.store.remove([]);
      expect(await get(one)).toBeNull();
      expect(await get(other)).toHaveLength(10);
    });

    test("files are listed by their age", async () => {
      const key = nextKey();
      await put(key, seededBytes(10));
      expect(await listed()).toContain(key);
    });

    test("files are removed as orphans, and the store knows which are older than some time", async () => {
      const [one, other] = [nextKey(), nextKey()];
      await put(one, seededBytes(10));
      await put(other, seededBytes(10));
      expect((await opened.store.olderThan([one, "nobody-wrote-this.pdf"], 0)).sort()).toEqual([one]);
      const many = Array.from({ length: 30 }, (_, index) => `nobody-wrote-${index}.pdf`);
      expect(await opened.store.olderThan([...many, other], 0)).toEqual([other]);
      await opened.store.removeOrphans([one, "nobody-wrote-this.pdf"]);
      await opened.store.removeOrphans([]);
      expect(await get(one)).toBeNull();
      expect(await get(other)).toHaveLength(10);
      expect(await opened.store.olderThan([one], 0)).toEqual([]);
    });

    test("the owner's id is stored once unless it is replaced, and is no file", async () => {
      const before = await listed();
      expect(await opened.store.readOwner()).toBeNull();
      await opened.store.writeOwner("first");
      await opened.store.writeOwner("second");
      expect(await opened.store.readOwner()).toBe("first");
      await opened.store.writeOwner("third", { replace: true });
      expect(await opened.store.readOwner()).toBe("third");
      expect(await listed()).toEqual(before);
    });

    test("trying whether files can be stored leaves nothing behind", async () => {
      const before = await listed();
      await opened.store.tryStoring();
      expect(await listed()).toEqual(before);
      expect(await opened.store.listUnfinished()).toEqual([]);
    });

    test("an invalid key is rejected", async () => {
      const names = ["", "..", "../up", "a/b", "/etc/passwd", ".hidden", "a.b.c", "nul\0", "a\\b", "é"];
      for (const name of names) {
        await expect(opened.store.create(name)).rejects.toThrow("Not a file key");
        await expect(opened.store.read(name)).rejects.toThrow("Not a file key");
        await expect(opened.store.remove([name])).rejects.toThrow("Not a file key");
      }
    });
  });
}
