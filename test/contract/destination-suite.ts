import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { Destination, DestinationAccess, OutgoingFile } from "../../worker/ports/destination";
import { waitFor } from "../support/wait";

export type TestDestination = {
  destination: Destination;
  access: Pick<DestinationAccess, "settings" | "credentials"> & Partial<Pick<DestinationAccess, "folderIds">>;
  /** What a check asks to store besides; the file that it is about does not count below. */
  adds?: DestinationAccess["settings"];
  /** All files that stand there by their path, unfinished ones included. */
  files(): Promise<Map<string, Uint8Array>>;
  stop(): Promise<void>;
};

export const accessTo = (
  { access }: Pick<TestDestination, "access">,
  signal = new AbortController().signal,
): DestinationAccess => ({
  renewCredentials: async (renewed) => renewed,
  readCredentials: async () => access.credentials,
  folderIds: { find: async () => undefined, save: async (_, id) => id, forget: async () => {} },
  signal,
  ...access,
});

/** A file on its way out, whose saved session is read back. */
export function outgoing(bytes: Uint8Array<ArrayBuffer>, changes: Partial<OutgoingFile> = {}) {
  const file: OutgoingFile = {
    id: crypto.randomUUID(),
    folder: ["Clients", "Exämple & Söhne (2) 100+'!"],
    name: "Contract - Rita (1) + 'A'.pdf",
    size: bytes.length,
    mimeType: "application/pdf",
    sha256: createHash("sha256").update(bytes).digest("hex"),
    startedAt: new Date().toISOString(),
    session: null,
    async saveSession(session) {
      file.session = session;
    },
    hasTime: () => true,
    read: async (range) =>
      new Blob([range ? bytes.slice(range.offset, range.offset + range.length) : bytes]).stream(),
    ...changes,
  };
  return file;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const pathOf = ({ folder, name }: OutgoingFile) => [...folder, name].join("/");

/**
 * What every kind of destination must do.
 * @param refuses whether of two files that come at once under one name one is refused. Drive keeps both, and of WebDAV servers
 * Apache loses one and rclone is locked: the queue never sends two so.
 */
export function testDestination(
  name: string,
  start: () => Promise<TestDestination>,
  { refuses = true } = {},
): void {
  describe(`${name} as a destination`, () => {
    let subject: TestDestination;
    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject.stop());
    const put = (file: OutgoingFile) => subject.destination.put(accessTo(subject), file);
    const stored = async (file: OutgoingFile) => (await subject.files()).get(pathOf(file));

    test("a check writes, checks and removes a file", async () => {
      const result = await subject.destination.check(accessTo(subject));
      expect(result).toEqual({
        ...{ kind: "works", path: expect.stringContaining(".doculopes-test-") },
        ...(subject.adds && { settings: subject.adds }),
      });
      expect([...(await subject.files()).keys()]).toEqual([]);
    });

    test("a file is written whole, in folders that are made, whatever their names contain", async () => {
      const large = outgoing(crypto.getRandomValues(new Uint8Array(60_000)));
      expect(await put(large)).toMatchObject({ kind: "written" });
      expect(Buffer.from((await stored(large)) ?? [])).toEqual(
        Buffer.from(await new Response(await large.read()).bytes()),
      );
      const small = outgoing(bytesOf("x"), { folder: [], name: "äöü 日本.txt" });
      expect((await put(small)).kind).toBe("written");
      expect(await stored(small)).toHaveLength(1);
    });

    test("a name that is taken is left as it is", async () => {
      const [first, second] = [
        outgoing(bytesOf("first"), { name: "a.txt" }),
        outgoing(bytesOf("other"), { name: "a.txt" }),
      ];
      expect((await put(first)).kind).toBe("written");
      expect((await put(second)).kind).toBe("taken");
      expect((await stored(first))?.length).toBe("first".length);
      expect(new TextDecoder().decode(await stored(first))).toBe("first");
      second.name = "a (2).txt";
      expect((await put(second)).kind).toBe("written");
      expect(new TextDecoder().decode(await stored(second))).toBe("other");
    });

    test("a delivery whose record was lost is recognized: the file stands there once", async () => {
      const file = outgoing(bytesOf("once"), { name: "once.txt" });
      expect((await put(file)).kind).toBe("written");
      expect((await put(file)).kind).toBe("written");
      const names = [...(await subject.files()).keys()].filter((path) => path.includes("once"));
      expect(names).toEqual([pathOf(file)]);
    });

    if (refuses)
      test("of two deliveries under one name at once, one gets it", async () => {
        const files = ["left!", "right"].map((text) => outgoing(bytesOf(text), { name: "both.txt" }));
        const kinds = (await Promise.all(files.map(put))).map(({ kind }) => kind);
        expect(kinds.sort()).toEqual(["taken", "written"]);
      });

    test("a file that breaks off never stands under its name, and goes on later", async () => {
      const bytes = crypto.getRandomValues(new Uint8Array(50_000));
      const broken = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes.slice(0, 20_000));
          controller.error(new Error("The store failed"));
        },
      });
      const file = outgoing(bytes, { name: "broken.pdf", read: async () => broken });
      const outcome = await put(file).catch(() => ({ kind: "again" }));
      expect(["again", "refused"]).toContain(outcome.kind);
      expect(await stored(file)).toBeUndefined();
      file.read = async () => new Blob([bytes]).stream();
      // A server may still be busy with what has broken off.
      await waitFor("the whole file", async () => (await put(file)).kind === "written");
      expect(await stored(file)).toHaveLength(50_000);
      const rest = [...(await subject.files()).keys()].filter((path) => path.endsWith(".part"));
      expect(rest.filter((path) => path.includes(file.id))).toEqual([]);
    });
  });
}
