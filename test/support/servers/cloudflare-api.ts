type Binding = { type: string; name: string; text?: string };
type Metadata = { bindings: Binding[]; keep_bindings?: string[] };

export type CloudflareApi = {
  /** For `CLOUDFLARE_API_BASE_URL`. */
  url: string;
  /** The bindings of each version of the Worker; secrets without their values, as the API returns them. */
  versions: Binding[][];
  stop(): Promise<void>;
};

const success = (result: unknown, info = {}) =>
  Response.json({ success: true, errors: [], messages: [], result, result_info: info });
const failure = (status: number, code: number, message: string) =>
  Response.json({ success: false, errors: [{ code, message }], messages: [], result: null }, { status });

const PAGE = { page: 1, per_page: 100, total_pages: 1 };
const ACCOUNT = { id: "account", name: "Someone" };
const DATABASE = "6f1f3f52-35e6-4a58-9e44-111111111111";

/** As much of Cloudflare's API as wrangler needs to deploy the Worker, with one empty account. */
export function startCloudflareApi(): CloudflareApi {
  const databases: { uuid: string; name: string }[] = [];
  const buckets: { name: string; creation_date: string }[] = [];
  const api: Pick<CloudflareApi, "versions"> = { versions: [] };

  const routes: [pattern: RegExp, respond: (found: string[], body: unknown) => Response][] = [
    [/^GET \/user\/tokens\/verify$/, () => success({ id: "token", status: "active" })],
    [/^GET \/user$/, () => success({ id: "user", email: "someone@example.com" })],
    [/^GET \/accounts$/, () => success([ACCOUNT], PAGE)],
    [/^GET \/memberships$/, () => success([{ id: "membership", account: ACCOUNT }], PAGE)],
    [/^GET \/d1\/database$/, () => success(databases, PAGE)],
    [
      /^POST \/d1\/database$/,
      (_, body) => {
        databases.push({ uuid: DATABASE, name: (body as { name: string }).name });
        return success(databases[0]);
      },
    ],
    [/^POST \/d1\/database\/.+\/query$/, () => success([{ results: [], success: true, meta: {} }])],
    [/^GET \/r2\/buckets$/, () => success({ buckets })],
    [/^GET \/r2\/buckets\/(.+)$/, ([name]) => success({ name })],
    [
      /^POST \/r2\/buckets$/,
      (_, body) => {
        buckets.push({ name: (body as { name: string }).name, creation_date: "2026-03-14T09:00:00Z" });
        return success({});
      },
    ],
    [/^GET \/workers\/subdomain$/, () => success({ subdomain: "someone" })],
    [
      /^POST \/workers\/scripts\/doculopes\/assets-upload-session$/,
      () => success({ jwt: "jwt", buckets: [] }),
    ],
    [
      /^(?:PUT|POST) \/workers\/scripts\/doculopes(?:\/versions)?$/,
      (_, body) => upload(api.versions, body as FormData),
    ],
    [
      /^GET \/workers\/(?:scripts|services|workers)\/doculopes/,
      () => failure(404, 10007, "This Worker does not exist on your account."),
    ],
    [/^(?:POST|PUT) \/workers\/scripts\/doculopes\/(?:subdomain|schedules|deployments)$/, () => success({})],
    [
      /\/workers\/scripts\/doculopes\/domains\/changeset$/,
      () => success({ added: [], removed: [], updated: [] }),
    ],
    [/^PUT \/workers\/scripts\/doculopes\/domains\/records$/, () => success([])],
  ];
  /** Of the Worker that exists. */
  const existing: typeof routes = [
    [
      /^GET \/workers\/workers\/doculopes$/,
      () => success({ subdomain: { enabled: true, previews_enabled: false } }),
    ],
    [
      /^GET \/workers\/services\/doculopes$/,
      () => success({ default_environment: { script: { last_deployed_from: "wrangler" } } }),
    ],
    [
      /^GET \/workers\/scripts\/doculopes\/deployments$/,
      () =>
        success({
          deployments: [
            { id: "d", source: "wrangler", versions: [{ version_id: "latest", percentage: 100 }] },
          ],
        }),
    ],
    [
      /^GET \/workers\/scripts\/doculopes\/versions\/latest$/,
      () =>
        success({
          id: "latest",
          metadata: {},
          resources: { bindings: api.versions.at(-1), script: {}, script_runtime: {} },
        }),
    ],
    [
      /^GET \/workers\/scripts\/doculopes\/(?:settings|script-settings)$/,
      () => success({ bindings: api.versions.at(-1) }),
    ],
    [/^GET \/workers\/scripts\/doculopes\/secrets$/, () => success(api.versions.at(-1)?.filter(isSecret))],
    [/^GET \/workers\/services\/doculopes\/environments\/production/, () => success([])],
  ];

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const type = request.headers.get("content-type") ?? "";
      const body = type.includes("multipart")
        ? await request.formData()
        : await request.json().catch(() => null);
      const path = new URL(request.url).pathname.replace(`/accounts/${ACCOUNT.id}`, "");
      const call = `${request.method} ${path}`;
      for (const [pattern, respond] of [...(api.versions.length > 0 ? existing : []), ...routes]) {
        const found = pattern.exec(call);
        if (found) return respond(found.slice(1), body);
      }
      return failure(404, 7003, `No route for ${call}`);
    },
  });
  return { ...api, url: server.url.origin, stop: () => server.stop(true) };
}

const isSecret = ({ type }: Binding) => type === "secret_text";

/** Keeps the bindings of the types that the upload names, unless it has one of the same name. */
function upload(versions: Binding[][], form: FormData): Response {
  const { bindings, keep_bindings = [] }: Metadata = JSON.parse(String(form.get("metadata")));
  const names = new Set(bindings.map(({ name }) => name));
  const before = versions.at(-1) ?? [];
  const kept = before.filter(({ type, name }) => keep_bindings.includes(type) && !names.has(name));
  versions.push([
    ...bindings.map((binding) => (isSecret(binding) ? { ...binding, text: undefined } : binding)),
    ...kept,
  ]);
  return success({
    id: `version-${versions.length}`,
    etag: "etag",
    startup_time_ms: 5,
    resources: { script: {} },
  });
}
