import { type FileStore, type FileWriter, StoreUnavailableError } from "../../worker/ports/file-store";

/** Runs in workerd: lets a test use an instance's file store from outside, one request for each call. */

const writers = new Map<string, FileWriter>();

type Call = { store: FileStore; request: Request; argument: string; query: URLSearchParams };

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
    if (step === "end") await writer?.end?.();
    if (step === "commit") await writer?.commit();
    if (step === "abort") await writer?.abort();
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
  async remove({ store, request }) {
    await store.remove(await request.json());
    return Response.json(null);
  },
  async list({ store, query }) {
    return Response.json(await Array.fromAsync(store.listOlderThan(new Date(query.get("before") ?? ""))));
  },
};

export async function callStore(store: FileStore, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const name = url.pathname.slice(1);
  try {
    const call = { store, request, argument: url.searchParams.get("of") ?? "", query: url.searchParams };
    return (await CALLS[name]?.(call)) ?? new Response("No such call", { status: 500 });
  } catch (error) {
    const kind = error instanceof StoreUnavailableError ? "unavailable" : "other";
    return Response.json({ kind, message: String(error) }, { status: 500 });
  }
}
