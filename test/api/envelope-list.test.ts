import { afterAll, beforeAll, expect, test } from "bun:test";
import { destinations, fileDeliveries } from "../../db/schema";
import { SORTS, type Sort, type SortKey, TABS, type Tab } from "../../worker/contract/list-orders";
import {
  type ApiResponse,
  type Client,
  createClient,
  describeApi,
  type SignedUp,
} from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { TEST_START } from "../support/runtime/runtime";

type Row = ApiResponse["body"];
const later = (days: number) => new Date(Date.parse(TEST_START) + days * 86_400_000).toISOString();
const dayAfter = (days: number) => later(days).slice(0, 10);
const idsOf = (rows: Row[]): number[] => rows.map(({ id }) => id);
const queryOf = (parameters: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
  ).toString();

/** The list as the specification of the call says, computed from whole requests. */
const plain = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const isOpen = ({ status }: Row) => status === "pending";
const hasToReview = ({ status, review }: Row) => status === "completed" && review.toReview > 0;
const IN_TAB: Record<Tab, (envelope: Row) => boolean> = {
  all: () => true,
  waiting: isOpen,
  overdue: ({ overdue }) => overdue,
  toReview: hasToReview,
  completed: (envelope) => envelope.status === "completed" && !hasToReview(envelope),
  expired: ({ status }) => status === "expired",
  scheduled: ({ status }) => status === "scheduled",
  drafts: ({ status }) => status === "draft",
};
const receivedOf = ({ documents, submissions }: Row): number =>
  documents.filter(
    ({ name, state }: Row) =>
      state !== "returned" && submissions.some(({ documentName }: Row) => documentName === name),
  ).length;
const recipientOf = ({ title }: Row): string | null =>
  title.replace(/^Document Request for /, "").trim() || null;
const STATES = ["draft", "scheduled", "pending", "expired", "to review", "completed"];
const SORTED_BY: Record<SortKey, (envelope: Row) => string | number | null> = {
  subject: ({ subject }) => subject,
  recipient: recipientOf,
  status: (envelope) => STATES.indexOf(hasToReview(envelope) ? "to review" : envelope.status),
  created: ({ id }) => id,
  due: ({ dueDate, status }) => (status === "completed" ? null : dueDate),
  expires: ({ expirationDate, status }) => (status === "completed" ? null : expirationDate),
  reminded: ({ remindedAt }) => remindedAt,
  sends: ({ sendOn, status }) => (status === "scheduled" ? sendOn : null),
};
/** Numbers by value, all else by code point. */
function compareTexts(one: string, other: string): number {
  const [parts, others] = [one, other].map((text) => [...plain(text).matchAll(/\d+|\D/gu)].map(String));
  for (let at = 0; ; at += 1) {
    const [part, against] = [parts?.[at], others?.[at]];
    if (part === undefined || against === undefined)
      return Number(part !== undefined) - Number(against !== undefined);
    const areNumbers = /\d/.test(part) && /\d/.test(against);
    const difference = areNumbers
      ? Number(BigInt(part) - BigInt(against))
      : (part.codePointAt(0) ?? 0) - (against.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
}
const compare = (one: string | number, other: string | number) =>
  typeof one === "number" ? one - Number(other) : compareTexts(one, String(other));

function sorted(envelopes: Row[], sort: Sort): Row[] {
  const sign = sort.startsWith("-") ? -1 : 1;
  const sortedBy = SORTED_BY[sort.replace("-", "") as SortKey];
  return envelopes.toSorted((one, other) => {
    const [first, second] = [sortedBy(one), sortedBy(other)];
    if (first === null || second === null)
      return Number(first === null) - Number(second === null) || sign * (one.id - other.id);
    return sign * (compare(first, second) || one.id - other.id);
  });
}

const FILTERS = [
  undefined,
  "tax",
  "2",
  "02",
  "  ÄRG ",
  "%",
  "_",
  "\\",
  "'",
  '"',
  "ｔａｘ 2",
  "none",
  "\u0301",
];
const isFiltered = ({ subject }: Row, filter: string | undefined) =>
  filter === undefined || (subject !== null && plain(subject).includes(plain(filter.trim())));

describeApi("the list of envelopes", (api) => {
  let owner: SignedUp;
  /** All of the owner's envelopes, as requests return them. */
  let whole: Row[];

  const list = async (parameters: Record<string, unknown>, person: Client = owner): Promise<ApiResponse> => {
    const response = await person.get(`/api/requests?${queryOf(parameters)}`);
    expect([response.status, response.body]).toEqual([200, response.body]);
    return response;
  };

  /** The rows of all pages, after `between` each two. */
  async function readPages(
    parameters: Record<string, unknown>,
    between?: (page: number) => Promise<unknown>,
  ) {
    const rows: Row[] = [];
    let path: string | undefined = `/api/requests?${queryOf(parameters)}`;
    for (let page = 0; path; page += 1) {
      if (page > 0) await between?.(page);
      const response: ApiResponse = await owner.get(path);
      expect([response.status, response.body.length > 0]).toEqual([200, true]);
      rows.push(...response.body);
      path = /^<(.+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
    }
    return rows;
  }

  beforeAll(async () => {
    owner = await api.signUp();
    const submit = async (envelope: Row) =>
      expect((await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }))).status).toBe(201);
    const subjects = [
      "Tax 2024",
      "tax 02",
      "Tax 2",
      "Ärger 10",
      "arger 9",
      "100 % _sure_",
      "C:\\new",
      'It\'s "it"',
    ];
    for (const [index, subject] of subjects.entries()) {
      await sendEnvelope(owner, {
        subject,
        recipientName: ["Zoë 2", "zoe 10", "Ångström", "Łukasz"][index % 4],
        dueDate: index % 2 ? dayAfter(index % 3 ? 1 : 9) : null,
        expirationDate: index % 3 ? dayAfter(index % 4 ? 9 : 1) : null,
      });
    }
    await owner.post("/api/requests", { isDraft: true });
    await sendEnvelope(owner, { subject: "Tax 2027", sendOn: dayAfter(30) });
    await sendEnvelope(owner, { subject: "Tax 2026", sendOn: dayAfter(20) });
    await owner.post("/api/requests", { isDraft: true, subject: "Tax 2024", dueDate: dayAfter(3) });
    const submitted = [
      await sendEnvelope(owner, { subject: "Tax 7", dueDate: dayAfter(2), expirationDate: dayAfter(4) }),
      await sendEnvelope(owner, { subject: "ｔａｘ ７" }),
      await sendEnvelope(owner, { subject: "Tax, returned" }),
    ];
    for (const envelope of submitted) await submit(envelope);
    const [toAccept, , toReturn] = submitted;
    const documentOf = (envelope: Row) => envelope.documents[0].id;
    await owner.post(`/api/requests/${toAccept.id}/review`, { accept: [documentOf(toAccept)] });
    await owner.post(`/api/requests/${toReturn.id}/review`, {
      return: [{ documentId: documentOf(toReturn), reason: "Blurred" }],
    });
    const [first, , third] = (await owner.get("/api/requests")).body.toReversed();
    await owner.post(`/api/requests/${third.id}/remind`);
    await api.setClock(later(2.5));
    await owner.post(`/api/requests/${first.id}/remind`);
    await api.anonymous().post(`${linkOf(third)}/opened`);
    await api.finishBackgroundWork();
    whole = (await owner.get("/api/requests")).body;
    expect(whole.length).toBe(subjects.length + 7);
    for (const tab of TABS) expect([tab, whole.some(IN_TAB[tab])]).toEqual([tab, true]);
  });
  afterAll(() => api.setClock(TEST_START));

  test.each(TABS.map((tab) => [tab] as const))(
    "has the tab %s in every order, with every filter",
    async (tab) => {
      for (const filter of FILTERS) {
        const found = whole.filter((envelope) => IN_TAB[tab](envelope) && isFiltered(envelope, filter));
        for (const sort of SORTS) {
          const { body } = await list({ view: "row", tab, sort, filter });
          expect([tab, sort, filter, idsOf(body)]).toEqual([tab, sort, filter, idsOf(sorted(found, sort))]);
        }
      }
    },
    60_000,
  );

  test("shows in a row what the whole request has, in at most 400 bytes", async () => {
    const { body } = await list({ view: "row" });
    expect(idsOf(body)).toEqual(idsOf(whole));
    for (const [index, row] of body.entries()) {
      const envelope = whole[index];
      const { id, subject, status, createdAt, sentAt, completedAt, dueDate, expirationDate } = envelope;
      expect(row).toEqual({
        ...{ id, subject, status, createdAt, sentAt, completedAt, dueDate, expirationDate },
        ...{ recipient: recipientOf(envelope), assigneeId: envelope.userId, remindedAt: envelope.remindedAt },
        ...{ isNew: envelope.isNew, delivery: envelope.delivery, overdue: envelope.overdue },
        documents: envelope.documents.length,
        questions: 0,
        received: receivedOf(envelope),
        files: envelope.submissions.filter(({ superseded }: Row) => !superseded).length,
        toReview: envelope.review.toReview,
        returned: envelope.review.returned,
        ...(envelope.delivery === "pending" && { queuedSince: row.queuedSince }),
        opened: row.opened,
        ...(envelope.status === "scheduled" && { sendOn: envelope.sendOn, sendHour: envelope.sendHour }),
      });
      const { subject: _, recipient: _name, ...rest } = row;
      expect(JSON.stringify(rest).length).toBeLessThanOrEqual(400);
    }
    expect(body.filter(({ opened }: Row) => opened)).toHaveLength(1);
    const never = await list({ view: "row", opened: "never" });
    expect(idsOf(never.body)).toEqual(
      idsOf(
        body.filter(({ opened, status }: Row) => !opened && status !== "draft" && status !== "scheduled"),
      ),
    );
  });

  test("finds by the recipient what does not have the filter in its subject", async () => {
    const contains = (text: string | null, part: string) => plain(text ?? "").includes(plain(part));
    for (const filter of ["zoe", "ANG", "rita", "tax", "nobody"])
      for (const sort of ["created", "-recipient"] as const) {
        const found = whole.filter(
          (envelope) => contains(recipientOf(envelope), filter) && !contains(envelope.subject, filter),
        );
        const { body, headers } = await list({ view: "row", filter, by: "recipient", sort, counts: 1 });
        expect([filter, idsOf(body)]).toEqual([filter, idsOf(sorted(found, sort))]);
        expect(headers.get("envelope-counts")).toContain(`all=${found.length},`);
        const searched = idsOf((await list({ view: "row", search: "a" })).body);
        const both = await list({ view: "row", filter, by: "recipient", sort, search: "a" });
        expect(idsOf(both.body)).toEqual(idsOf(body).filter((id) => searched.includes(id)));
      }
    expect(whole.filter((envelope) => contains(recipientOf(envelope), "zoe"))).not.toEqual([]);
  });

  test("says since when a message to the recipient waits, and nothing once it is sent", async () => {
    const person = await api.signUp();
    await sendEnvelope(person);
    await api.finishBackgroundWork();
    await api.setMail("down");
    const { createdAt } = await sendEnvelope(person);
    await api.finishBackgroundWork();
    await api.setMail("works");
    expect((await list({ view: "row" }, person)).body).toMatchObject([
      { delivery: "pending", queuedSince: createdAt },
      { delivery: "ok" },
    ]);
  });

  test("finds whose message was not delivered in every tab and order, with every filter", async () => {
    const person = await api.signUp();
    const send = async (changes: Record<string, unknown>) => {
      const envelope = await sendEnvelope(person, changes);
      await api.finishBackgroundWork();
      return envelope;
    };
    await send({ subject: "Tax, delivered" });
    await person.post("/api/requests", { isDraft: true, subject: "Tax" });
    await sendEnvelope(person, { subject: "Tax", sendOn: dayAfter(30) });
    await api.setMail("rejects");
    const found = [
      await send({ subject: "Tax 1", dueDate: dayAfter(3) }),
      await send({ subject: "Payslips", expirationDate: dayAfter(3) }),
      await send({ subject: "Tax 2", dueDate: dayAfter(9) }),
    ];
    const submitted = await send({ subject: "Tax, submitted" });
    const answered = form({ Contract: pdfFile() });
    expect((await api.anonymous().post(linkOf(submitted), answered)).status).toBe(201);
    const reminded = await send({ subject: "Tax, reminded" });
    await api.setMail("works");
    expect((await person.post(`/api/requests/${reminded.id}/remind`)).status).toBe(201);
    await api.finishBackgroundWork();
    await api.setMail("down");
    found.push(await send({ subject: "Tax, waiting for days" }));
    await api.setClock(later(5));
    await send({ subject: "Tax, just sent" });
    const all = (await person.get("/api/requests")).body;
    const undelivered = all.filter(({ id }: Row) => idsOf(found).includes(id));
    expect(undelivered.filter(IN_TAB.expired)).toHaveLength(1);
    expect(undelivered.filter(IN_TAB.overdue)).toHaveLength(1);
    for (const tab of TABS)
      for (const sort of SORTS)
        for (const filter of [undefined, "tax", "none"]) {
          const expected = undelivered.filter((row: Row) => IN_TAB[tab](row) && isFiltered(row, filter));
          const call = { view: "row", messages: "undelivered", tab, sort, filter };
          const { body } = await list(call, person);
          expect([call, idsOf(body)]).toEqual([call, idsOf(sorted(expected, sort))]);
        }
    const { headers } = await list({ messages: "undelivered", search: "tax", counts: 1 }, person);
    expect(headers.get("envelope-counts")).toMatch(/^all=3, waiting=3, overdue=1, toReview=0, .*expired=0/);
    await api.setMail("works");
    await api.setClock(later(2.5));
  });

  test("has at most 400 bytes in a row with every date", async () => {
    const person = await api.signUp();
    const dates = { dueDate: "2026-04-20", expirationDate: "2026-04-30" };
    const envelope = await sendEnvelope(person, { ...dates, documents: [{ name: "Q", kind: "text" }] });
    const answers = { [envelope.documents[0].id]: "Yes" };
    expect((await api.anonymous().post(`${linkOf(envelope)}/submit`, { answers })).status).toBe(201);
    const returned = [{ documentId: envelope.documents[0].id, reason: "Really?" }];
    expect((await person.post(`/api/requests/${envelope.id}/review`, { return: returned })).status).toBe(200);
    await api.setClock(new Date(Date.parse(envelope.sentAt) + 7_200_000).toISOString());
    expect((await person.post(`/api/requests/${envelope.id}/remind`, {})).status).toBe(201);
    await api.finishBackgroundWork();
    await api.setClock(envelope.sentAt);
    const [{ subject: _, recipient: _name, ...rest }] = (await list({ view: "row" }, person)).body;
    expect(Object.values(rest)).not.toContain(null);
    expect(JSON.stringify(rest).length).toBeLessThanOrEqual(400);
  });

  test("counts each tab under everything but tab, order and page", async () => {
    for (const narrowed of [
      {},
      { filter: "tax" },
      { search: "zoe" },
      { assignee: "me" },
      { opened: "never" },
      { messages: "undelivered" },
    ]) {
      const expected: string[] = [];
      for (const tab of TABS) {
        const tabs = tab === "completed" ? ["completed", "toReview"] : [tab];
        const found = await Promise.all(tabs.map((of) => list({ ...narrowed, view: "row", tab: of })));
        expected.push(`${tab}=${found.reduce((sum, { body }) => sum + body.length, 0)}`);
      }
      for (const page of [{ limit: 1 }, { tab: "overdue", sort: "due", view: "row" }]) {
        const { headers } = await list({ ...narrowed, ...page, counts: 1 });
        expect(headers.get("envelope-counts")).toBe(expected.join(", "));
      }
    }
  });

  test("has the same rows page by page, in one workspace or all, whole or not", async () => {
    const { body: other } = await owner.post("/api/workspaces", { name: "Other" });
    const elsewhere = await sendEnvelope(owner, { workspaceId: other.id, subject: "Tax 3" });
    await api.finishBackgroundWork();
    const all = (await owner.get("/api/requests")).body;
    for (const sort of SORTS) {
      const expected = idsOf(sorted(all, sort));
      expect([sort, idsOf(await readPages({ view: "row", sort, limit: 3 }))]).toEqual([sort, expected]);
      expect(idsOf(await readPages({ sort, limit: 5 }))).toEqual(expected);
      const here = { view: "row", sort, limit: 4, workspaceId: owner.workspaceId };
      expect(idsOf(await readPages(here))).toEqual(expected.filter((id) => id !== elsewhere.id));
    }
    expect((await owner.delete(`/api/requests/${elsewhere.id}`)).status).toBe(204);
  });

  test("that changes between its pages repeats no row and omits none whose place stays", async () => {
    for (const sort of ["subject", "-subject", "status", "-created", "due"] as const) {
      const before = idsOf(sorted(whole, sort));
      const passing: number[] = [];
      const read = await readPages({ view: "row", sort, limit: 3 }, async (page) => {
        passing.push((await sendEnvelope(owner, { subject: `Tax ${page}`, dueDate: dayAfter(page + 3) })).id);
        if (page > 1) await owner.delete(`/api/requests/${passing[page - 2]}`);
      });
      const ids = idsOf(read);
      expect([sort, new Set(ids).size]).toEqual([sort, ids.length]);
      expect([sort, ids.filter((id) => before.includes(id))]).toEqual([sort, before]);
      for (const id of passing) await owner.delete(`/api/requests/${id}`);
    }
  });

  test("has a Link with every parameter, and cursors that belong to their sort", async () => {
    const call = {
      view: "row",
      tab: "all",
      sort: "-subject",
      filter: "tax",
      search: "r",
      limit: "2",
      counts: "1",
    };
    const { headers } = await list({ ...call, workspaceId: owner.workspaceId, opened: "never" });
    const link = new URL(/<(.+)>/.exec(headers.get("link") ?? "")?.[1] ?? "", "http://localhost")
      .searchParams;
    expect(Object.fromEntries(link)).toEqual({
      ...{ ...call, workspaceId: String(owner.workspaceId), opened: "never" },
      cursor: expect.any(String),
    });
    const cursor = link.get("cursor") ?? "";
    expect((await list({ view: "row", sort: "-subject", cursor })).body.length).toBeGreaterThan(0);
    const forged = Buffer.from('["subject",{},1]').toString("base64url");
    for (const [sort, wrong] of [
      ...[["subject", cursor] as const, ["due", cursor] as const, ["-subject", cursor.slice(0, -2)] as const],
      ...[["-subject", "12"] as const, ["subject", forged] as const, [undefined, cursor] as const],
      ["subject", btoa('["subject",1e999,1]').replace(/=+$/, "")] as const,
    ]) {
      const { status, body } = await owner.get(`/api/requests?${queryOf({ sort, cursor: wrong })}`);
      expect([sort, wrong, status, body.issues?.[0]?.path]).toEqual([sort, wrong, 400, "cursor"]);
    }
    const byId = await list({ limit: 2 });
    expect(byId.headers.get("link")).toContain(`cursor=${byId.body[1].id}>`);
  });

  test.each([
    ["tab=done", "tab must be one of all, waiting, overdue, toReview, completed, expired, scheduled, drafts"],
    [
      "tab=all&tab=drafts",
      "tab must be one of all, waiting, overdue, toReview, completed, expired, scheduled, drafts",
    ],
    ["sort=name", `sort must be one of ${SORTS.join(", ")}`],
    ["view=cards", "view must be one of row, board"],
    ["by=address", "by must be one of subject, recipient"],
    ["opened=always", "opened must be one of never"],
    ["messages=all", "messages must be one of undelivered"],
    ["deliveries=all", "deliveries must be one of failed"],
    ["filter=", "filter must have at least 1 character"],
    ["filter=%20", "filter must have at least 1 character"],
    [`filter=${"a".repeat(201)}`, "filter must have at most 200 characters"],
    ["filter=a&filter=b", "filter must be text"],
    ["limit=0", "limit must be at least 1"],
    ["limit=1001", "limit must be at most 1000"],
    ["counts=2", "counts must be one of 0, 1"],
    ["assignee=none", "assignee must be me or the id of an account"],
  ])("%s is 400: %s", async (query, message) => {
    const { status, body } = await owner.get(`/api/requests?${query}`);
    expect([status, body.issues]).toEqual([400, [{ path: query.split("=")[0], message }]]);
  });

  test("has what an earlier version has not stored, once the schedule has filled it in", async () => {
    const read = async () => {
      const lists = SORTS.map(
        async (sort) => (await list({ view: "row", sort, filter: "tax", counts: 1 })).body,
      );
      return [await Promise.all(lists), (await list({ counts: 1 })).headers.get("envelope-counts")];
    };
    const before = await read();
    await api.execute(
      "update envelopes set filter_text = null, subject_key = null, recipient_key = null, to_review = 0, reminded_at = null",
    );
    expect(await read()).not.toEqual(before);
    await api.runJobs();
    expect(await read()).toEqual(before);
  });

  test("has no entity tag: a conditional request gets the list", async () => {
    for (const path of ["/api/requests", "/api/requests?view=row", "/api/contacts", "/api/templates"]) {
      const { status, headers } = await owner.get(path, { "if-none-match": "*" });
      expect([path, status, headers.get("etag")]).toEqual([path, 200, null]);
    }
  });

  test("contacts and templates are sorted, filtered and counted by name", async () => {
    const names = ["Zoë 10", "zoe 9", "Ådne", "adam", "100 %"];
    for (const name of names) {
      await owner.post("/api/contacts", { firstName: name.split(" ")[0], lastName: name.split(" ")[1] });
      await owner.post("/api/templates", { name, fields: [{ name: "Contract" }] });
    }
    for (const [path, header] of [
      ["contacts", "contact-counts"],
      ["templates", "template-counts"],
    ] as const) {
      const read = async (query: string) => {
        const { status, body, headers } = await owner.get(`/api/${path}?${query}`);
        expect([query, status]).toEqual([query, 200]);
        const found = body.map((row: Row) =>
          names.indexOf(row.name ?? [row.firstName, row.lastName].filter(Boolean).join(" ")),
        );
        return { found, count: headers.get(header), link: headers.get("link") ?? "" };
      };
      expect((await read("sort=name")).found).toEqual([4, 3, 2, 1, 0]);
      expect((await read("sort=-name")).found).toEqual([0, 1, 2, 3, 4]);
      expect((await read("sort=created")).found).toEqual([0, 1, 2, 3, 4]);
      expect(await read("filter=ZOE&counts=1")).toMatchObject({ found: [1, 0], count: "all=2" });
      const { found, link } = await read("sort=name&limit=3&counts=1");
      expect(found).toEqual([4, 3, 2]);
      expect((await read(/\?(.+)>/.exec(link)?.[1] ?? "")).found).toEqual([1, 0]);
      expect((await owner.get(`/api/${path}?sort=subject`)).status).toBe(400);
      expect((await owner.get(`/api/${path}?sort=-name&cursor=1`)).status).toBe(400);
    }
    const [contact] = (await owner.get("/api/contacts?filter=adam")).body;
    await owner.patch(`/api/contacts/${contact.id}`, { lastName: "Zweig", phone: "(555) 12 34" });
    for (const filter of ["adam%20zw", "5551234"])
      expect((await owner.get(`/api/contacts?filter=${filter}`)).body).toHaveLength(1);
  });

  test("contacts and templates are found by words in any order, and as names and numbers are typed", async () => {
    const someone = await api.signUp();
    const contact = {
      firstName: "Søren",
      lastName: "Müller-O’Neill",
      company: "Orgelbau Groß",
      email: "s@x.com",
    };
    await someone.post("/api/contacts", { ...contact, phone: "+49 30 1234567" });
    await someone.post("/api/contacts", { firstName: "Zoe", lastName: "Bauer", phone: "+1 555 0100" });
    for (const name of ["Steuererklärung GmbH", "Payroll"])
      await someone.post("/api/templates", { name, fields: [{ name: "Contract" }] });
    const count = async (path: string, filter: string) =>
      (await someone.get(`/api/${path}?filter=${encodeURIComponent(filter)}`)).body.length;
    for (const filter of [
      ...["müller søren", "Mueller", "soeren", "orgelbau müller", "gross", "o'neill", "x.com Groß"],
      ...["+49 (0)30 123 45", "030/1234567", "0049 30-123"],
    ])
      expect([filter, await count("contacts", filter)]).toEqual([filter, 1]);
    for (const filter of ["müller zoe", "baur", "030 7654321", "sørensen"])
      expect([filter, await count("contacts", filter)]).toEqual([filter, 0]);
    expect(await count("templates", "gmbh steuererklaerung")).toBe(1);
    expect(await count("templates", "gmbh payroll")).toBe(0);
  });
});

test("a list finds what could not be delivered, and a workspace says that there is some", async () => {
  const runtime = await startBunRuntime();
  const { db } = runtime.deps;
  const owner = createClient({ fetch: runtime.fetch, origin: runtime.origin });
  await owner.post("/api/register", { email: "ada@example.com", password: "a long password" });
  const first = await sendEnvelope(owner);
  const second = await sendEnvelope(owner);
  const other = (await owner.post("/api/workspaces", { name: "Other" })).body.id;
  const found = async (workspaceId: number) => {
    const query = `workspaceId=${workspaceId}&deliveries=failed&view=row&counts=1`;
    const { body, headers } = await owner.get(`/api/requests?${query}`);
    const workspaces = (await owner.get("/api/workspaces")).body;
    const workspace = workspaces.find(({ id }: { id: number }) => id === workspaceId);
    const counts = /all=(\d+)/.exec(headers.get("envelope-counts") ?? "")?.[1];
    return [idsOf(body), counts, workspace.hasFailedDeliveries, workspace.hasStoppedDestination];
  };
  expect(await found(first.workspaceId)).toEqual([[], "0", false, false]);
  const now = new Date().toISOString();
  const times = { createdAt: now, updatedAt: now };
  const [destination] = await db
    .insert(destinations)
    .values({
      ...{ workspaceId: first.workspaceId, kind: "webdav", name: "NAS", settings: {}, ...times },
      ...{ deliveredWhen: "submitted", folderRule: "{subject}", includeAnswers: true },
    })
    .returning({ id: destinations.id });
  const destinationId = destination?.id ?? 0;
  await db.insert(fileDeliveries).values(
    (["failed", "waiting"] as const).map((state, index) => ({
      ...{ destinationId, envelopeId: [first, second][index]?.id ?? 0, page: "manifest.csv" as const },
      ...{ submittedAt: now, state, stateAt: now, createdAt: now },
    })),
  );
  await db.update(destinations).set({ state: "reconnect" });
  expect(await found(first.workspaceId)).toEqual([[first.id], "1", true, true]);
  expect(await found(other)).toEqual([[], "0", false, false]);
  await runtime.finishBackgroundWork();
  await runtime.stop();
});
