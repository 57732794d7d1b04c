import { expect, test } from "bun:test";
import { SERVER_LIMITS } from "../../worker/contract/limits";
import { describeApi, type SignedUp } from "../support/api/client";
import { readZip } from "../support/files/zip";
import { TEST_START } from "../support/runtime/runtime";

/** Reads a list page by page, as its `Link` headers lead. */
async function readPages(owner: SignedUp, path: string) {
  const pages: { rows: { id: number }[]; bytes: number }[] = [];
  for (let next: string | undefined = path; next; ) {
    const response = await owner.get(next);
    expect(response.status).toBe(200);
    pages.push({ rows: response.body, bytes: response.text.length });
    const link = response.headers.get("link");
    next = link ? /^<(\/api\/[^>]+)>; rel="next"$/.exec(link)?.[1] : undefined;
    expect(Boolean(next)).toBe(link !== null);
  }
  return { pages, ids: pages.flatMap(({ rows }) => rows.map(({ id }) => id)) };
}

/** Documents whose names and descriptions make `bytes` bytes of JSON. */
const documents = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 10_000) }, (_, index) => ({
    name: `Document ${index}`,
    description: "x".repeat(9900),
  }));

describeApi("long lists", (api) => {
  test("a page has at most 1,000 rows, and its Link header leads to the rest, newest first", async () => {
    const owner = await api.signUp();
    const more = await owner.post("/api/workspaces", { name: "More" });
    for (const [table, columns, values] of [
      ["contacts", "first_name, updated_at", `'Ada', '${TEST_START}'`],
      ["templates", "name, fields, updated_at", `'Taxes', '[]', '${TEST_START}'`],
      [
        "envelopes",
        "title, description, customer_email, submission_token, updated_at",
        `'', '', '', hex(randomblob(16)), '${TEST_START}'`,
      ],
    ])
      await api.execute(
        `insert into ${table} (user_id, workspace_id, created_at, ${columns})
          with recursive n(i) as (select 1 union all select i + 1 from n where i < 2100)
          select ${owner.id}, iif(i % 3, ${owner.workspaceId}, ${more.body.id}), '${TEST_START}', ${values} from n`,
      );
    for (const path of ["/api/contacts", "/api/templates", "/api/requests"]) {
      const { pages, ids } = await readPages(owner, path);
      expect(pages.length).toBeGreaterThanOrEqual(3);
      for (const { rows, bytes } of pages) {
        expect(rows.length).toBeLessThanOrEqual(1000);
        expect(bytes).toBeLessThan(1.1 * SERVER_LIMITS.pageBytes);
      }
      expect(new Set(ids).size).toBe(2100);
      expect(ids).toEqual(ids.toSorted((a, b) => b - a));
      const inWorkspace = await readPages(owner, `${path}?limit=300&workspaceId=${more.body.id}`);
      expect(inWorkspace.pages.map(({ rows }) => rows.length)).toEqual([300, 300, 100]);
      expect(inWorkspace.ids.every((id) => ids.includes(id))).toBe(true);
    }
  });

  test("the last page has no Link header", async () => {
    const owner = await api.signUp();
    for (const firstName of ["Ada", "Grace"]) await owner.post("/api/contacts", { firstName });
    expect((await owner.get("/api/contacts?limit=2")).headers.get("link")).toBeNull();
    expect((await owner.get("/api/contacts?limit=1")).headers.get("link")).toMatch(
      /^<\/api\/contacts\?limit=1&cursor=\d+>; rel="next"$/,
    );
  });

  test("a page has at most 1 MB, and a larger row is a page by itself", async () => {
    const owner = await api.signUp();
    const large = documents(990_000);
    const sizes = [
      large,
      documents(300_000),
      documents(300_000),
      documents(300_000),
      documents(300_000),
      large,
    ];
    const made: number[] = [];
    for (const fields of sizes) {
      const draft = await owner.post("/api/requests", { isDraft: true, documents: fields });
      const template = await owner.post("/api/templates", { name: "Large", fields });
      expect([draft.status, template.status]).toEqual([201, 201]);
      made.unshift(draft.body.id);
    }
    const envelopes = await readPages(owner, "/api/requests");
    expect(envelopes.ids).toEqual(made);
    expect(envelopes.pages.map(({ rows }) => rows.length)).toEqual([1, 3, 1, 1]);
    const templates = await readPages(owner, "/api/templates");
    expect(templates.ids).toHaveLength(6);
    for (const { bytes } of [...envelopes.pages, ...templates.pages])
      expect(bytes).toBeLessThan(1.1 * SERVER_LIMITS.pageBytes);
  });

  test("long documents are complete and in order wherever a request is read", async () => {
    const owner = await api.signUp();
    const long = documents(300_000).map((each) => ({ ...each, kind: "number", max: "5" }));
    const created = await owner.post("/api/requests", { isDraft: true, documents: long });
    const path = `/api/requests/${created.body.id}`;
    const expectIn = (body: { documents: object[] }, entries: object[]) => {
      expect(body.documents).toHaveLength(entries.length);
      expect(body.documents).toMatchObject(entries);
    };
    expectIn(created.body, long);
    expectIn((await owner.get(path)).body, long);
    const reversed = long.toReversed();
    expectIn((await owner.put(path, { isDraft: true, documents: reversed })).body, reversed);
    const short = await owner.post("/api/requests", { isDraft: true, documents: [{ name: "Paper" }] });
    const { body } = await owner.get("/api/requests");
    expect(body.map(({ id }: { id: number }) => id)).toEqual([short.body.id, created.body.id]);
    expectIn(body[0], [{ name: "Paper" }]);
    expectIn(body[1], reversed);
  });

  test("a page of many short documents has at most 1 MB", async () => {
    const owner = await api.signUp();
    const short = Array.from({ length: 100 }, (_, index) => ({ name: `Paper ${index}` }));
    for (let count = 0; count < 40; count += 1)
      expect((await owner.post("/api/requests", { isDraft: true, documents: short })).status).toBe(201);
    const { pages, ids } = await readPages(owner, "/api/requests");
    expect(new Set(ids).size).toBe(40);
    for (const { bytes } of pages) expect(bytes).toBeLessThan(1.1 * SERVER_LIMITS.pageBytes);
    expect(pages[0]?.bytes).toBeGreaterThan(0.7 * SERVER_LIMITS.pageBytes);
  });

  test("the export contains every row of lists with several pages", async () => {
    const owner = await api.signUp();
    for (let count = 0; count < 3; count += 1)
      await owner.post("/api/requests", { isDraft: true, documents: documents(700_000) });
    const data = readZip(await owner.bytes("/api/user/export")).get("data.json");
    expect(JSON.parse(new TextDecoder().decode(data)).envelopes).toHaveLength(3);
  });
});
