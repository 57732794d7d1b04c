import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { StoreUnavailableError } from "../../worker/ports/file-store";
import { seededBytes } from "../support/files/bytes";
import { openWorkerdFileStore } from "../support/runtime/workerd-file-store";
import { fileStoreSuite } from "./file-store-suite";

setDefaultTimeout(240_000);

const MIB = 1024 * 1024;

fileStoreSuite("R2 in workerd", async () => ({ store: await openWorkerdFileStore(), close: () => {} }));

describe("R2 in workerd", () => {
  test("an aborted upload leaves no parts in R2", async () => {
    const store = await openWorkerdFileStore();
    const writer = await store.create("given-up.pdf");
    for (let part = 0; part < 3; part += 1) await writer.write(seededBytes(8 * MIB));
    expect(await store.openUploads()).toBe(1);
    await writer.abort();
    expect(await store.openUploads()).toBe(0);
    await store.tryStoring();
    expect(await store.openUploads()).toBe(0);
  });

  test("a small file that has ended and is aborted leaves no object", async () => {
    const store = await openWorkerdFileStore();
    const writer = await store.create("small.pdf");
    await writer.write(seededBytes(10));
    await writer.end();
    await writer.abort();
    expect(await Array.fromAsync(store.list())).toEqual([]);
    expect(await store.openUploads()).toBe(0);
  });

  test("a failing R2 is reported as unavailable by every call, and nothing partial is stored", async () => {
    const store = await openWorkerdFileStore();
    const small = await store.create("small.pdf");
    await small.write(seededBytes(10));
    const large = await store.create("large.pdf");
    await large.write(seededBytes(9 * MIB));
    await store.failR2(true);
    await expect(small.commit()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(large.end()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.tryStoring()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.read("small.pdf")).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.remove(["small.pdf"])).rejects.toBeInstanceOf(StoreUnavailableError);
    const listing = Array.fromAsync(store.list());
    await expect(listing).rejects.toBeInstanceOf(StoreUnavailableError);
    await store.failR2(false);
    await large.abort();
    expect(await store.read("small.pdf")).toBeNull();
    expect(await store.read("large.pdf")).toBeNull();
  });

  test("a long list is returned in pages", async () => {
    const store = await openWorkerdFileStore();
    await store.fill(1100);
    const pages = await Array.fromAsync(store.list());
    expect(pages.map((page) => page.length)).toEqual([1000, 100]);
    expect(new Set(pages.flat()).size).toBe(1100);
  });
});
