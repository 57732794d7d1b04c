import {
  type FileStore,
  type FileWriter,
  type Progress,
  type ResumableFileStore,
  type ResumableFileWriter,
  StoreUnavailableError,
  UploadLostError,
} from "../../../worker/ports/file-store";

/** Runs in workerd: lets a test use an instance's file store from outside, one request for each call. */

const writers = new Map<string, FileWriter>();
const appenders = new Map<string, { writer: ResumableFileWriter; saved: Progress[] }>();

type Stores = { files: FileStore; resumable: ResumableFileStore };
type Call = Stores & { store: FileStore; request: Request; argument: string; query: URLSearchParams };

const CALLS: Record<string, (call: Call) => Promise<Response>> = {
  async create({ store, argument }) {
    const id = crypto.randomUUID();
    writers.set(id, await store.create(argument));
    return Response.json(id);
  },
  async write({ request, argument }) {
    await writers.get(argument)?.write(new Uint8Array(await request.arrayBuffer()));
    return Response.json(null);
  },
  async finish({ request, argument }) {
    const writer = writers.get(argument);
    const step = await request.text();
    if (step === "end") await writer?.end();
    if (step === "commit") await writer?.commit();
    if (step === "abort") await writer?.abort();
    return Response.json(null);
  },
  async tryStoring({ store }) {
    await store.tryStoring();
    return Response.json(null);
  },
  async read({ store, argument, query }) {
    const offset = query.get("offset");
    const range = offset !== null && { offset: Number(offset), length: Number(query.get("length")) };
    const stream = await store.read(argument, range || undefined);
    return stream ? new Response(stream) : new Response(null, { status: 404 });
  },
  async fill({ store, argument }) {
    const empty = async (name: string) => (await store.create(name)).commit();
    for (let from = 0; from < Number(argument); from += 100)
      await Promise.all(Array.from({ length: 100 }, (_, index) => empty(`f${from + index}.pdf`)));
    return Response.json(null);
  },
  async append({ resumable, request }) {
    const saved: Progress[] = [];
    const save = async (progress: Progress) => void saved.push(progress);
    const id = crypto.randomUUID();
    appenders.set(id, { writer: await resumable.append(await request.json(), save), saved });
    return Response.json(id);
  },
  async appendMore({ request, argument }) {
    const { writer, saved } = appenderOf(argument);
    await writer.write(new Uint8Array(await request.arrayBuffer()));
    return Response.json(saved.splice(0));
  },
  async appendEnd({ argument }) {
    return Response.json(await appenderOf(argument).writer.end());
  },
  async appendDiscard({ argument }) {
    await appenderOf(argument).writer.discard();
    return Response.json(null);
  },
  async finishResumable({ resumable, request }) {
    await resumable.finish(await request.json());
    return Response.json(null);
  },
  async abandon({ resumable, request }) {
    const { key, state } = await request.json();
    await resumable.abandon(key, state);
    return Response.json(null);
  },
  async abandoned({ resumable, query }) {
    return Response.json(await Array.fromAsync(resumable.listAbandoned(new Date(query.get("before") ?? ""))));
  },
  async remove({ store, request }) {
    await store.remove(await request.json());
    return Response.json(null);
  },
  async olderThan({ store, request }) {
    const { keys, milliseconds } = await request.json();
    return Response.json(await store.olderThan(keys, milliseconds));
  },
  async removeOrphans({ store, request }) {
    await store.removeOrphans(await request.json());
    return Response.json(null);
  },
  async readOwner({ store }) {
    return Response.json(await store.readOwner());
  },
  async writeOwner({ store, request }) {
    const { id, options } = await request.json();
    await store.writeOwner(id, options);
    return Response.json(null);
  },
  async list({ store, argument }) {
    return Response.json(await Array.fromAsync(store.list(argument)));
  },
};

function appenderOf(id: string) {
  const appender = appenders.get(id);
  if (!appender) throw new Error("No such writer");
  return appender;
}

export async function callStore(stores: Stores, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const name = url.pathname.slice(1);
  try {
    const call = {
      ...stores,
      store: stores.files,
      request,
      argument: url.searchParams.get("of") ?? "",
      query: url.searchParams,
    };
    return (await CALLS[name]?.(call)) ?? new Response("No such call", { status: 500 });
  } catch (error) {
    const kind =
      error instanceof UploadLostError
        ? "lost"
        : error instanceof StoreUnavailableError
          ? "unavailable"
          : "other";
    return Response.json({ kind, message: String(error) }, { status: 500 });
  }
}
