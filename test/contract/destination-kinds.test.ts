import { expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFolderDestination } from "../../worker/adapters/bun/destinations/folder";
import { createPublicFetch } from "../../worker/adapters/bun/public-fetch";
import { createSha256 } from "../../worker/adapters/bun/sha256";
import { send } from "../../worker/adapters/shared/destinations/http";
import { createS3Destination } from "../../worker/adapters/shared/destinations/s3";
import { createWebdavDestination } from "../../worker/adapters/shared/destinations/webdav";
import { startS3Server } from "../support/servers/s3-server";
import { startWebdavServer } from "../support/servers/webdav-server";
import { accessTo, outgoing, type TestDestination, testDestination } from "./destination-suite";

const KEY = { accessKeyId: "key", secretAccessKey: "secret" };
const fetchPublic = createPublicFetch({ allowPrivate: true });

function startS3(prefix = "office/files") {
  const server = startS3Server("bucket", KEY);
  const subject = {
    server,
    destination: createS3Destination(fetchPublic, createSha256),
    access: {
      settings: { endpoint: server.endpoint, bucket: "bucket", region: "eu", prefix },
      credentials: KEY,
    },
    files: async () =>
      new Map([...server.objects].map(([path, { bytes }]) => [path.slice(prefix.length + 1), bytes])),
    stop: () => server.stop(),
  } satisfies TestDestination & { server: typeof server };
  return subject;
}

async function startFolder(base = tmpdir()) {
  const root = await mkdtemp(join(base, "doculopes-delivery-"));
  return {
    root,
    destination: createFolderDestination(root),
    access: { settings: { path: "nas" }, credentials: {} },
    adds: { marker: ".doculopes" },
    async files() {
      const names = await readdir(join(root, "nas"), { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      const paths = names
        .filter((entry) => entry.isFile() && entry.name !== ".doculopes")
        .map((entry) => join(entry.parentPath, entry.name));
      return new Map(
        await Promise.all(
          paths.map(
            async (path) => [path.slice(join(root, "nas").length + 1), await readFile(path)] as const,
          ),
        ),
      );
    },
    stop: () => rm(root, { recursive: true }),
  } satisfies TestDestination & { root: string };
}

testDestination("s3", async () => startS3());
testDestination("folder", () => startFolder());
testDestination("folder on another file system", () => startFolder("/dev/shm"));
testDestination("webdav", async () => {
  const server = startWebdavServer({ user: "u", password: "p" });
  return {
    destination: createWebdavDestination(fetchPublic),
    access: { settings: { url: server.url }, credentials: { user: "u", password: "p" } },
    files: async () =>
      new Map(server.names().map((path) => [path, server.files.get(path) ?? new Uint8Array()])),
    stop: server.stop,
  };
});

test("s3: a file above 90 MB goes in parts, continues after an interruption, and appears whole at once", async () => {
  const subject = startS3();
  const bytes = new Uint8Array(95 * 1024 * 1024).fill(7);
  crypto.getRandomValues(bytes.subarray(0, 1000));
  let turns = 0;
  const hasTime = () => {
    turns += 1;
    return turns !== 3;
  };
  const file = outgoing(bytes, { name: "large.bin", hasTime });
  expect((await subject.destination.put(accessTo(subject), file)).kind).toBe("unfinished");
  expect([...subject.server.objects.keys()]).toEqual([]);
  expect((await subject.destination.put(accessTo(subject), file)).kind).toBe("written");
  const [stored] = [...subject.server.objects.values()];
  expect(Buffer.compare(Buffer.from(stored?.bytes ?? []), Buffer.from(bytes))).toBe(0);
  // Six parts, none of them twice.
  expect(turns).toBe(7);
  expect(subject.server.uploads.size).toBe(0);
  const other = outgoing(bytes, { name: "large.bin" });
  expect((await subject.destination.put(accessTo(subject), other)).kind).toBe("taken");
  await subject.stop();
}, 240_000);

test("s3: a revoked key means connecting again, a bucket that is not there that, other failures a later try", async () => {
  const subject = startS3();
  const settings = { ...subject.access.settings, bucket: "gone" };
  const missing = accessTo({ access: { ...subject.access, settings } });
  expect(await subject.destination.check(missing)).toMatchObject({ kind: "missing" });
  const wrong = {
    ...subject,
    access: { ...subject.access, credentials: { ...KEY, secretAccessKey: "other" } },
  };
  const file = outgoing(new Uint8Array(3));
  expect(await subject.destination.put(accessTo(wrong), file)).toMatchObject({ kind: "reconnect" });
  expect(await subject.destination.check(accessTo(wrong))).toMatchObject({ kind: "reconnect" });
  subject.server.failWith = 503;
  expect(await subject.destination.put(accessTo(subject), file)).toMatchObject({ kind: "again" });
  subject.server.failWith = 507;
  expect(await subject.destination.put(accessTo(subject), file)).toMatchObject({ kind: "full" });
  await subject.stop();
});

test("s3: a checksum that is none is ignored", async () => {
  const fetchOdd = async () =>
    new Response(null, { headers: { ETag: '"1"', "Content-Length": "10", "x-amz-checksum-sha256": "!" } });
  const odd = createS3Destination(fetchOdd, createSha256);
  const settings = { endpoint: "https://s3.example.com", bucket: "files", region: "eu" };
  const access = accessTo({ access: { settings, credentials: KEY } });
  expect(await odd.check(access)).toMatchObject({ kind: "works" });
});

test.each([
  ["the id of an upload", "i".repeat(5000), '"1"'],
  ["the tag of a part", "id", "t".repeat(5000)],
])("s3: %s that is longer than any is refused, and not stored", async (_, uploadId, etag) => {
  const fetchOdd: typeof fetchPublic = async (_url, { method }) => {
    if (method === "HEAD") return new Response(null, { status: 404 });
    return new Response(method === "POST" ? `<UploadId>${uploadId}</UploadId>` : "", {
      headers: { ETag: etag },
    });
  };
  const settings = { endpoint: "https://s3.example.com", bucket: "files", region: "eu" };
  const access = accessTo({ access: { settings, credentials: KEY } });
  const saved: unknown[] = [];
  const saveSession = async (session: string | null) => void saved.push(session);
  const file = outgoing(new Uint8Array(91 * 1024 * 1024), { saveSession });
  expect(await createS3Destination(fetchOdd, createSha256).put(access, file)).toMatchObject({
    kind: "refused",
  });
  expect(saved).toEqual([]);
});

test.each(["SignatureDoesNotMatch", "QuotaExceeded", "NoSuchBucket", "Other"])(
  "s3: what a server says with %s is cut, however long it is",
  async (code) => {
    const answer = `<Code>${code}</Code><Message>${"long ".repeat(10_000)}</Message>`;
    const hostile = createS3Destination(async () => new Response(answer, { status: 400 }), createSha256);
    const settings = { endpoint: "https://s3.example.com", bucket: "files", region: "eu" };
    const outcome = await hostile.check(accessTo({ access: { settings, credentials: KEY } }));
    expect("message" in outcome && outcome.message).toHaveLength(200);
  },
);

test("of a response, no more than its first 64 KiB are kept, whatever chunks it comes in", async () => {
  const large = async () => new Response(new Blob(["a".repeat(1024 * 1024)]).stream());
  const call = { method: "GET", headers: {}, signal: new AbortController().signal };
  expect((await send(large, new URL("https://dav.example.com"), call)).text).toHaveLength(64 * 1024);
});

test("a name that nobody resolves ends with the attempt", async () => {
  const fetchSilent = createPublicFetch({ allowPrivate: true }, () => new Promise(() => {}));
  const settings = { url: "http://dav.example.com", endpoint: "http://s3.example.com", bucket: "files" };
  for (const silent of [createWebdavDestination(fetchSilent), createS3Destination(fetchSilent, createSha256)])
    for (const signal of [AbortSignal.timeout(20), AbortSignal.abort()])
      expect(await silent.check({ ...accessTo({ access: { settings, credentials: KEY } }), signal })).toEqual(
        {
          kind: "again",
          message: "No answer in time",
        },
      );
}, 10_000);

test("folder: permissions are those of the operator's folder, and nothing escapes from it", async () => {
  const subject = await startFolder();
  await writeFile(join(subject.root, "outside"), "x");
  const { mode } = await stat(subject.root);
  const file = outgoing(new Uint8Array(3), { folder: ["a", "b"], name: "c.txt" });
  expect((await subject.destination.put(accessTo(subject), file)).kind).toBe("written");
  expect((await stat(join(subject.root, "nas/a"))).mode & 0o777).toBe(mode & 0o777);
  expect((await stat(join(subject.root, "nas/a/b/c.txt"))).mode & 0o777).toBe(mode & 0o666);
  const escaping = { ...subject, access: { settings: { path: "../.." }, credentials: {} } };
  expect(subject.destination.put(accessTo(escaping), file)).rejects.toThrow("leads out");
  await subject.stop();
});

test("folder: an operator's folder that is missing, as one that is not mounted, is told and not made", async () => {
  const root = join(tmpdir(), `doculopes-unmounted-${crypto.randomUUID()}`);
  const access = accessTo({ access: { settings: { path: "" }, credentials: {} } });
  expect(await createFolderDestination(root).check(access)).toEqual({ kind: "missing", message: "ENOENT" });
  expect(await readdir(root).catch(() => null)).toBeNull();
});

test("folder: once it has worked, nothing is written where its disk is not mounted", async () => {
  const { root, destination, access, adds, stop } = await startFolder();
  expect((await destination.check(accessTo({ access }))).kind).toBe("works");
  const connected = accessTo({ access: { ...access, settings: { ...access.settings, ...adds } } });
  const put = () => destination.put(connected, outgoing(new Uint8Array(3), { folder: [] }));
  await rename(join(root, "nas"), join(root, "elsewhere"));
  await mkdir(join(root, "nas"));
  for (const outcome of [await put(), await destination.check(connected)])
    expect(outcome).toEqual({ kind: "missing", message: "ENOENT" });
  expect(await readdir(join(root, "nas"))).toEqual([]);
  await rm(join(root, "nas"), { recursive: true });
  await rename(join(root, "elsewhere"), join(root, "nas"));
  expect((await put()).kind).toBe("written");
  // One of an earlier version goes on.
  await rm(join(root, "nas/.doculopes"));
  const earlier = await destination.put(accessTo({ access }), outgoing(new Uint8Array(3), { name: "b.pdf" }));
  expect(earlier.kind).toBe("written");
  await stop();
});

test("folder: a disk that is full is told, no half file stands under its name, and smaller ones still go", async () => {
  const { root, stop } = await startFolder();
  const child = Bun.spawnSync(
    [
      ...["sh", "-c", 'ulimit -f 200; exec "$0" "$@"', process.execPath],
      `${import.meta.dir}/../support/processes/full-destination.ts`,
    ],
    { env: { ...process.env, FOLDER: root } },
  );
  expect(child.stdout.toString()).toBe("full\nwritten\n");
  expect((await readdir(root)).filter((name) => !name.startsWith("."))).toEqual(["10.pdf"]);
  await stop();
});

test.each(["s3", "webdav"])(
  "%s: a server that takes the connection and never answers is told",
  async (kind) => {
    const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const url = `http://127.0.0.1:${server.port}/`;
    const destination =
      kind === "s3" ? createS3Destination(fetchPublic, createSha256) : createWebdavDestination(fetchPublic);
    const settings = { url, endpoint: url, bucket: "bucket", region: "eu" };
    const subject = { access: { settings, credentials: { ...KEY, user: "u", password: "p" } } };
    const late = accessTo(subject, AbortSignal.timeout(50));
    expect(await destination.put(late, outgoing(new Uint8Array(3)))).toEqual({
      kind: "again",
      message: "No answer in time",
    });
    server.stop(true);
  },
);
