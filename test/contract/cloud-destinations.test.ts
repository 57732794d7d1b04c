import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createGoogleDestination } from "../../worker/adapters/shared/destinations/google";
import { createMicrosoftDestination } from "../../worker/adapters/shared/destinations/microsoft";
import { DESTINATION_SCOPES, type OAuthProvider } from "../../worker/lib/sign-in-providers";
import { systemClock } from "../../worker/ports/clock";
import type {
  DestinationAccess,
  DestinationCredentials,
  OutgoingFile,
  PutOutcome,
} from "../../worker/ports/destination";
import { type CloudProviders, startCloudProviders } from "../support/servers/cloud";
import { MY_DRIVE, SITE_DRIVE } from "../support/servers/cloud/graph";
import { testDestination } from "./destination-suite";

const KIB = 1024;
const MIB = KIB * KIB;
let cloud: CloudProviders;
let clients: ReturnType<CloudProviders["graph"]["addFolder"]>;

const randomBytes = (size: number) => {
  const bytes = new Uint8Array(size);
  for (let start = 0; start < size; start += 65_536)
    crypto.getRandomValues(bytes.subarray(start, start + 65_536));
  return bytes;
};

/** What the app stores of a destination. */
const createStored = (credentials: DestinationCredentials) => ({
  credentials,
  folders: new Map<string, string>(),
});
type Stored = ReturnType<typeof createStored>;

/** A destination as one process sees it. */
function accessTo(stored: Stored, settings: DestinationAccess["settings"]): DestinationAccess {
  let seen = stored.credentials;
  return {
    settings,
    credentials: seen,
    async renewCredentials(renewed) {
      if (stored.credentials === seen) stored.credentials = renewed;
      seen = stored.credentials;
      return seen;
    },
    async readCredentials() {
      seen = stored.credentials;
      return seen;
    },
    folderIds: {
      find: async (path) => stored.folders.get(path),
      async save(path, id) {
        const known = stored.folders.get(path) ?? id;
        stored.folders.set(path, known);
        return known;
      },
      async forget(path) {
        for (const known of stored.folders.keys())
          if (known === path || known.startsWith(`${path}/`)) stored.folders.delete(known);
      },
    },
    signal: new AbortController().signal,
  };
}

type Sent = { bytes: Uint8Array<ArrayBuffer>; file: OutgoingFile };

/** A delivery, whose session outlives its attempts. */
function fileOf(
  bytes: Uint8Array<ArrayBuffer>,
  more: Partial<OutgoingFile> & { chunks?: number } = {},
): Sent {
  const file: OutgoingFile = {
    ...{ id: crypto.randomUUID(), folder: ["Example Ltd", "2026"], name: "Passport.pdf", size: bytes.length },
    mimeType: "application/pdf",
    sha256: createHash("sha256").update(bytes).digest("hex"),
    startedAt: new Date().toISOString(),
    session: null,
    async saveSession(session) {
      file.session = session;
    },
    hasTime: () => {
      if (more.chunks === undefined) return true;
      more.chunks -= 1;
      return more.chunks >= 0;
    },
    async read(range) {
      const { offset, length } = range ?? { offset: 0, length: bytes.length };
      return new Blob([bytes.subarray(offset, offset + length)]).stream();
    },
    ...more,
  };
  return { bytes, file };
}

const KINDS = {
  microsoft: {
    create: createMicrosoftDestination,
    settings: () => ({ driveId: MY_DRIVE, folderId: clients.id }),
    root: "Clients",
    chunk: 10 * MIB,
    side: () => cloud.graph,
    path: /^\/graph/,
    uploads: /graph-upload/,
  },
  google: {
    create: createGoogleDestination,
    settings: () => ({ folderName: "Clients" }),
    root: "Clients",
    chunk: 8 * MIB,
    side: () => cloud.drive,
    path: /^\/www\.googleapis/,
    uploads: /drive-upload/,
  },
} as const;

beforeEach(() => {
  cloud = startCloudProviders();
  clients = cloud.graph.addFolder(MY_DRIVE, "Clients");
});
afterEach(() => cloud.stop());

for (const kind of ["microsoft", "google"] as const) {
  const { create, settings, root, chunk, side, uploads } = KINDS[kind];
  describe(kind, () => {
    const options = () => {
      const provider = cloud.providers.find(({ name }) => name === kind) as OAuthProvider;
      return { provider, scopes: DESTINATION_SCOPES[kind], providerUrl: cloud.origin, clock: systemClock };
    };
    const connected = async () => createStored(await side().grants.grant());
    const deliver = (stored: Stored, { file }: Sent): Promise<PutOutcome> =>
      create(options()).put(accessTo(stored, settings()), file);
    const delivered = () =>
      side()
        .files()
        .map(({ path }) => path);
    const expectWhole = ({ bytes }: Sent, path: string) => {
      const found = side()
        .files()
        .filter((file) => file.path === path);
      expect(found).toHaveLength(1);
      expect(Buffer.from(found[0]?.bytes ?? []).equals(bytes)).toBe(true);
    };
    const requestsTo = (path: RegExp) => cloud.requests.filter((request) => path.test(request)).length;

    test("a file arrives whole in its folders, which are made once", async () => {
      const stored = await connected();
      const sent = [
        fileOf(randomBytes(1)),
        fileOf(randomBytes(3 * chunk + 5), { name: "Plan & more, (1).dwg" }),
      ];
      for (const each of sent)
        expect(await deliver(stored, each)).toMatchObject({
          kind: "written",
          url: expect.stringMatching(/^https:/),
        });
      expectWhole(sent[0] as Sent, `${root}/Example Ltd/2026/Passport.pdf`);
      expectWhole(sent[1] as Sent, `${root}/Example Ltd/2026/Plan & more, (1).dwg`);
      expect(requestsTo(uploads)).toBe(5);
      const folders = [...side().items.values()].filter(({ bytes }) => bytes === null);
      expect(folders.filter(({ name }) => name === "2026")).toHaveLength(1);
    });

    test("concurrent deliveries into new folders make each once", async () => {
      const stored = await connected();
      const sent = Array.from({ length: 6 }, (_, at) => fileOf(randomBytes(10 + at), { name: `${at}.pdf` }));
      const outcomes = await Promise.all(sent.map((each) => deliver(stored, each)));
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(sent.map(() => "written"));
      for (const [at, each] of sent.entries()) expectWhole(each, `${root}/Example Ltd/2026/${at}.pdf`);
    });

    test("a name that another file has is taken", async () => {
      const stored = await connected();
      const first = fileOf(randomBytes(100));
      await deliver(stored, first);
      const second = fileOf(randomBytes(100));
      expect(await deliver(stored, second)).toEqual({ kind: "taken" });
      const again = { ...second, file: { ...second.file, name: "Passport (2).pdf" } };
      expect((await deliver(stored, again)).kind).toBe("written");
      expectWhole(first, `${root}/Example Ltd/2026/Passport.pdf`);
      expectWhole(second, `${root}/Example Ltd/2026/Passport (2).pdf`);
      expect(delivered()).toHaveLength(2);
    });

    test("an interrupted upload goes on at the provider's offset", async () => {
      const stored = await connected();
      const sent = fileOf(randomBytes(2 * chunk + 7));
      cloud.fail(uploads, 503, { method: "PUT", times: 0 });
      const run = fileOf(sent.bytes, { chunks: 1 });
      expect(await deliver(stored, run)).toEqual({ kind: "unfinished" });
      cloud.fail(uploads, 503, { method: "PUT", headers: { "Retry-After": "7" } });
      sent.file.session = run.file.session;
      const busy = await deliver(stored, sent);
      expect(busy).toMatchObject({ kind: "again", retryAfterSeconds: 7 });
      const before = requestsTo(/^PUT .*-upload/);
      expect((await deliver(stored, sent)).kind).toBe("written");
      // Google is asked with a PUT what it has.
      expect(requestsTo(/^PUT .*-upload/) - before).toBe(kind === "google" ? 3 : 2);
      expectWhole(sent, `${root}/Example Ltd/2026/Passport.pdf`);
    });

    test("a file whose last response was lost is ours, and is not sent again", async () => {
      const stored = await connected();
      const sent = fileOf(randomBytes(1000));
      cloud.fail(uploads, 504, { method: "PUT", after: true });
      expect((await deliver(stored, sent)).kind).toBe("again");
      expect((await deliver(stored, sent)).kind).toBe("written");
      expect(delivered()).toEqual([`${root}/Example Ltd/2026/Passport.pdf`]);
      expect(requestsTo(/^PUT .*-upload/)).toBe(kind === "google" ? 2 : 1);
    });

    test("an upload whose address has expired begins again", async () => {
      const stored = await connected();
      const sent = fileOf(randomBytes(chunk + 9));
      const run = fileOf(sent.bytes, { chunks: 1 });
      await deliver(stored, run);
      side().expireSessions();
      sent.file.session = run.file.session;
      expect((await deliver(stored, sent)).kind).toBe("written");
      expectWhole(sent, `${root}/Example Ltd/2026/Passport.pdf`);
    });

    test("a folder that was renamed there is still the one, and one that was deleted is made again", async () => {
      const stored = await connected();
      await deliver(stored, fileOf(randomBytes(10)));
      const folder = [...side().items.values()].find(({ name }) => name === "Example Ltd");
      if (!folder) throw new Error("no folder");
      folder.name = "Example Limited";
      const moved = fileOf(randomBytes(20), { name: "b.pdf" });
      await deliver(stored, moved);
      expectWhole(moved, `${root}/Example Limited/2026/b.pdf`);
      side().removeFolder(folder.id);
      const anew = fileOf(randomBytes(30), { name: "c.pdf" });
      expect((await deliver(stored, anew)).kind).toBe("written");
      expectWhole(anew, `${root}/Example Ltd/2026/c.pdf`);
    });

    test("what it refuses has its kind: full, ended, busy, missing", async () => {
      const stored = await connected();
      side().isFull = true;
      expect(await deliver(stored, fileOf(randomBytes(10)))).toMatchObject({ kind: "full" });
      side().isFull = false;
      cloud.fail(KINDS[kind].path, 429, { headers: { "Retry-After": "90" } });
      expect(await deliver(stored, fileOf(randomBytes(10)))).toMatchObject({
        kind: "again",
        retryAfterSeconds: 90,
      });
      cloud.fail(KINDS[kind].path, 403);
      expect(await deliver(stored, fileOf(randomBytes(10)))).toMatchObject({
        kind: "refused",
        message: expect.stringContaining("403 made to fail"),
      });
      side().grants.end();
      expect(await deliver(stored, fileOf(randomBytes(10)))).toMatchObject({
        kind: "reconnect",
        message: expect.stringContaining("invalid_grant"),
      });
    });

    test("a provider that confirms and stores nothing is not believed", async () => {
      const stored = await connected();
      side().storesNothing = true;
      const sent = fileOf(randomBytes(10));
      expect((await deliver(stored, sent)).kind).toBe("again");
      side().storesNothing = false;
      expect((await deliver(stored, sent)).kind).toBe("written");
    });

    test("bytes that arrive damaged are not confirmed, and sent again under the next name", async () => {
      const stored = await connected();
      side().damages = true;
      const sent = fileOf(randomBytes(10));
      expect((await deliver(stored, sent)).kind).toBe("again");
      side().damages = false;
      expect((await deliver(stored, sent)).kind).toBe("taken");
      sent.file.name = "Passport (2).pdf";
      expect((await deliver(stored, sent)).kind).toBe("written");
    });

    test("what is delivered again is only made if it is no longer there", async () => {
      const stored = await connected();
      const sent = fileOf(randomBytes(10));
      for (let time = 1; time <= 2; time += 1) {
        expect((await deliver(stored, sent)).kind).toBe("written");
        expect(delivered()).toEqual([`${root}/Example Ltd/2026/Passport.pdf`]);
      }
      for (const { id } of side().files()) side().removeFolder(id);
      expect((await deliver(stored, sent)).kind).toBe("written");
      const isThere = ({ trashed = false, bytes }: { trashed?: boolean; bytes: unknown }) =>
        bytes && !trashed;
      expect([...side().items.values()].filter(isThere)).toHaveLength(1);
    });

    test("an access token that has ended is renewed, and the new ones are stored", async () => {
      const stored = await connected();
      side().grants.expireAccess();
      const before = stored.credentials;
      expect((await deliver(stored, fileOf(randomBytes(10)))).kind).toBe("written");
      expect(stored.credentials.accessToken).not.toBe(before.accessToken);
      expect(side().grants.refreshTokens.has(stored.credentials.refreshToken ?? "")).toBe(true);
    });

    test("of two processes that refresh at once, one does, and both go on with a valid token", async () => {
      const stored = await connected();
      for (let round = 1; round <= 5; round += 1) {
        side().grants.expireAccess();
        const owners = await Promise.all(
          [1, 2].map(() => create(options()).account?.(accessTo(stored, settings()))),
        );
        for (const owner of owners)
          expect(owner).toEqual({ kind: "account", name: expect.stringContaining("ada@") });
        expect(side().grants.refreshes).toBe(round);
        expect(side().grants.refreshTokens.has(stored.credentials.refreshToken ?? "")).toBe(true);
      }
    });

    test("a test writes a small file, and removes it", async () => {
      const stored = await connected();
      const checked = await create(options()).check(accessTo(stored, settings()));
      expect(checked).toMatchObject({
        kind: "works",
        path: expect.stringMatching(/^Clients\/\.doculopes-test-\w+$/),
      });
      expect(delivered()).toEqual([]);
      side().storesNothing = true;
      expect((await create(options()).check(accessTo(stored, settings()))).kind).toBe("again");
    });
  });
}

for (const kind of ["microsoft", "google"] as const)
  testDestination(
    kind,
    async () => {
      const own = startCloudProviders();
      const side = kind === "microsoft" ? own.graph : own.drive;
      const folderId = own.graph.addFolder(MY_DRIVE, "Clients").id;
      const settings = kind === "microsoft" ? { driveId: MY_DRIVE, folderId } : { folderName: "Clients" };
      const provider = own.providers.find(({ name }) => name === kind) as OAuthProvider;
      const options = {
        provider,
        scopes: DESTINATION_SCOPES[kind],
        providerUrl: own.origin,
        clock: systemClock,
      };
      const { folderIds, credentials } = accessTo(createStored(await side.grants.grant()), settings);
      return {
        destination: KINDS[kind].create(options),
        access: { settings, credentials, folderIds },
        files: async () =>
          new Map(side.files().map(({ path, bytes }) => [path.slice("Clients/".length), bytes])),
        stop: own.stop,
      };
    },
    { refuses: kind !== "google" },
  );

describe("folders to choose from", () => {
  const folders = async (
    query: { parent?: string; address?: string; cursor?: string },
    kind: "microsoft" | "google" = "microsoft",
  ) => {
    const provider = cloud.providers.find(({ name }) => name === kind) as OAuthProvider;
    const options = {
      ...{ provider, scopes: DESTINATION_SCOPES[kind], providerUrl: cloud.origin, clock: systemClock },
    };
    const stored = createStored(await KINDS[kind].side().grants.grant());
    const destination = KINDS[kind].create(options);
    return destination.folders?.(accessTo(stored, {}), query);
  };

  test("are those of the own drive, 200 a page", async () => {
    const all = Array.from({ length: 203 }, (_, at) =>
      cloud.graph.addFolder(MY_DRIVE, `Folder ${at}`, clients.id),
    );
    cloud.graph.addFile(clients.id, "A file.pdf", randomBytes(1));
    expect(await folders({})).toMatchObject({
      rows: [{ id: clients.id, name: "Clients", driveId: MY_DRIVE }],
    });
    const first = await folders({ parent: clients.id });
    if (first?.kind !== "folders") throw new Error(String(first?.kind));
    expect(first.rows).toHaveLength(200);
    const rest = await folders({ parent: clients.id, cursor: first.next ?? "" });
    if (rest?.kind !== "folders") throw new Error(String(rest?.kind));
    expect([...first.rows, ...rest.rows].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(rest.next).toBeUndefined();
    expect(await folders({ parent: "nowhere" })).toEqual({ kind: "missing" });
  });

  test("are found by the address of SharePoint's address bar, and no other address is asked for", async () => {
    const library = cloud.graph.addFolder(SITE_DRIVE, "Kunden & Co");
    const address = "https://contoso.sharepoint.com/sites/x/Shared%20Documents/Kunden%20&%20Co";
    cloud.graph.share(address, library.id);
    const found = { rows: [{ id: library.id, name: "Kunden & Co", driveId: SITE_DRIVE }] };
    expect(await folders({ address })).toMatchObject(found);
    const id = encodeURIComponent("/sites/x/Shared Documents/Kunden & Co");
    const bar = `https://contoso.sharepoint.com/sites/x/Shared%20Documents/Forms/AllItems.aspx?id=${id}&viewid=1`;
    expect(await folders({ address: bar })).toMatchObject(found);
    expect(await folders({ address: "https://contoso.sharepoint.com/other" })).toEqual({ kind: "missing" });
    const before = cloud.requests.length;
    for (const other of [
      "https://evil.example/x",
      "https://sharepoint.com.evil.example/x",
      "http://1drv.ms/x",
      "x",
    ])
      expect(await folders({ address: other })).toEqual({ kind: "missing" });
    expect(cloud.requests.length).toBe(before);
  });

  test("of Google are those that the app has made", async () => {
    const stored = createStored(await cloud.drive.grants.grant());
    const provider = cloud.providers.find(({ name }) => name === "google") as OAuthProvider;
    const destination = createGoogleDestination({
      ...{ provider, scopes: DESTINATION_SCOPES.google, providerUrl: cloud.origin, clock: systemClock },
    });
    await destination.put(accessTo(stored, { folderName: "Clients" }), fileOf(randomBytes(1)).file);
    const top = await folders({}, "google");
    expect(top).toMatchObject({ kind: "folders", rows: [{ name: "Clients" }] });
    for (const query of [{ parent: "x' or '" }, { address: "https://contoso.sharepoint.com/x" }])
      expect(await folders(query, "google")).toEqual({ kind: "missing" });
  });
});
