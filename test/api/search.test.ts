import { expect, test } from "bun:test";
import { type Client, describeApi } from "../support/api/client";
import { joinAs } from "../support/api/team";
import { createRandom } from "../support/random";

const found = async (person: Client, search: string, more = "") => {
  const { status, body } = await person.get(`/api/requests?search=${encodeURIComponent(search)}${more}`);
  return status === 200 ? body.map(({ id }: { id: number }) => id).reverse() : status;
};

const draft = async (person: Client, input: object) =>
  (await person.post("/api/requests", { isDraft: true, ...input })).body.id as number;

const document = (name: string) => ({ name, required: true, allowedFileTypes: [] });

describeApi("the search for envelopes", (api) => {
  test("finds subject, recipient, address, contact and documents, by any part of a word", async () => {
    const alice = await api.signUp();
    const { body: contact } = await alice.post("/api/contacts", {
      firstName: "Søren",
      lastName: "Kierkegård",
    });
    const tax = await draft(alice, { subject: "Steuererklärung 2025", recipientName: "Jürgen Müller" });
    const rent = await draft(alice, {
      subject: "Mietvertrag",
      recipientEmail: "Rita@example.com",
      documents: [document("Gehaltsabrechnung"), document("Bürgschaft")],
    });
    const linked = await draft(alice, { contactId: contact.id, recipientName: "S. K." });
    const words: [string, number[]][] = [
      ["steu", [tax]],
      ["ERKLAR", [tax]],
      ["erklärung", [tax]],
      ["muller", [tax]],
      ["müller 2025", [tax]],
      ["2025   müller steuer", [tax]],
      ["muller miet", []],
      ["rita@exam", [rent]],
      ["example.com", [rent]],
      ["burgschaft gehalt rita", [rent]],
      ["gehaltburg", []],
      ["kierkegard", [linked]],
      ["mü", [tax]],
      ["mu", [tax]],
      ["og", []],
      ["25", [tax]],
      ["@", [rent]],
      [".", [rent, linked]],
      ["zz", []],
    ];
    for (const [search, ids] of words) expect([search, await found(alice, search)]).toEqual([search, ids]);
    expect(await found(alice, "")).toEqual([tax, rent, linked]);
  });

  test("finds letters that do not decompose by those that are typed for them, and any apostrophe by any", async () => {
    const alice = await api.signUp();
    const pairs = [
      ["Łukasz Małecki", "lukasz malecki"],
      ["Søren Ørsted", "soren orsted"],
      ["Đorđe", "dorde"],
      ["Guðrún Þórsdóttir", "gudrun thorsdottir"],
      ["Straße GROẞ", "strasse gross"],
      ["Ærø", "aero"],
      ["Œuvre", "oeuvre"],
      ["Diyarbakır", "diyarbakir"],
      ["d’Arc", "d'arc"],
      ["O`Neill", "o´neill"],
    ] as const;
    for (const [subject, typed] of pairs) {
      const id = await draft(alice, { subject });
      for (const search of [typed, subject, subject.toUpperCase(), typed.toUpperCase()])
        expect([search, await found(alice, search)]).toEqual([search, [id]]);
    }
  });

  test("finds ä, ö, ü, ø and å as they are written without them, and the other way round", async () => {
    const alice = await api.signUp();
    const [umlaut, pair, none] = [
      await draft(alice, { subject: "Jürgen Müller" }),
      await draft(alice, { subject: "Juergen Mueller" }),
      await draft(alice, { subject: "Jurgen Muller" }),
    ];
    const kierkegaard = await draft(alice, { subject: "Søren Kierkegaard" });
    const bauer = await draft(alice, { subject: "Zoe Bauer" });
    const words: [string, number[]][] = [
      ["MÜLLER", [umlaut, pair, none]],
      ["mueller juergen", [umlaut, pair, none]],
      ["mueller jurgen", [umlaut, none]],
      ["muller", [umlaut, none]],
      ["soeren kierkegård", [kierkegaard]],
      ["bauer", [bauer]],
      ["baur", []],
      ["zo", [bauer]],
    ];
    for (const [search, ids] of words) expect([search, await found(alice, search)]).toEqual([search, ids]);
  });

  test("finds Chinese and Japanese words, also of one or two characters, and both widths of Latin letters", async () => {
    const alice = await api.signUp();
    const contract = await draft(alice, { subject: "契約書の確認", recipientName: "田中太郎" });
    const tax = await draft(alice, { subject: "税务文件", recipientName: "王小明" });
    const wide = await draft(alice, { subject: "ＡＢＣ株式会社　ガイド" });
    const narrow = await draft(alice, { subject: "abc gmbh" });
    const words: [string, number[]][] = [
      ["契約書", [contract]],
      ["約書の確", [contract]],
      ["契約 太郎", [contract]],
      ["税", [tax]],
      ["小明", [tax]],
      ["文件 王", [tax]],
      ["abc", [wide, narrow]],
      ["ＡＢＣ", [wide, narrow]],
      ["ガイド", [wide]],
      ["約契", []],
    ];
    for (const [search, ids] of words) expect([search, await found(alice, search)]).toEqual([search, ids]);
  });

  test("reads what people type as words, never as syntax", async () => {
    const alice = await api.signUp();
    const quoted = await draft(alice, { subject: `The "final" version* (a-b) NEAR c:d^e 100% _x \\` });
    const typed: [string, number[]][] = [
      ['"final"', [quoted]],
      ['"', [quoted]],
      ['"fin', [quoted]],
      ["ver* the", []],
      ["version*", [quoted]],
      ["(a-b)", [quoted]],
      ["-b", [quoted]],
      ["near c:d^e", [quoted]],
      ["grams:the", []],
      ["the OR nothing", []],
      ["the NOT final", []],
      ["% _ \\", [quoted]],
      ["100%", [quoted]],
      ["{a b} + c", []],
      ["\u0001\u0002the\u0007", [quoted]],
      ["\u200d", [quoted]],
      ["😀", []],
      ["'; drop table envelopes; --", []],
    ];
    for (const [search, ids] of typed) expect([search, await found(alice, search)]).toEqual([search, ids]);
    for (const search of ["a ".repeat(100), "\"' ".repeat(60), "x".repeat(200), "ü".repeat(200)])
      expect(await found(alice, search.slice(0, 200))).toBeArray();
    expect(await found(alice, "x".repeat(201))).toBe(400);
  });

  test("ignores words of accents only, and those after the eighth", async () => {
    const alice = await api.signUp();
    const cafe = await draft(alice, { subject: "Café one two three four five six seven" });
    const other = await draft(alice, { subject: "Other" });
    const typed: [string, number[]][] = [
      ["\u0301".repeat(200), [cafe, other]],
      [Array(60).fill("\u0301\u0308").join(" "), [cafe, other]],
      ["\u0301 cafe\u0301\u0308", [cafe]],
      ["caf\u0301e", [cafe]],
      ["one two three four five six seven cafe nothing", [cafe]],
      ["one two three four five six seven nothing", []],
      ["a", [cafe]],
      ["ca zz", []],
      ["fe ca", [cafe]],
    ];
    for (const [search, ids] of typed) expect([search, await found(alice, search)]).toEqual([search, ids]);
  });

  test("of a word that repeats a part, looks for the beginning, and for the rest of the words in whole", async () => {
    const alice = await api.signUp();
    const long = await draft(alice, { subject: `${"0".repeat(300)}1 Übersicht` });
    const banana = await draft(alice, { subject: "Ananas bananas 0000 Übersicht" });
    const typed: [string, number[]][] = [
      ["0".repeat(200), [long]],
      [[3, 4, 50, 60].map((length) => "0".repeat(length)).join(" "), [long]],
      ["0000", [long, banana]],
      ["ananas bananas", [banana]],
      ["ananab", []],
      [`${"0".repeat(100)} übersicht`, [long]],
    ];
    for (const [search, ids] of typed) expect([search, await found(alice, search)]).toEqual([search, ids]);
  });

  test("finds none but the member's envelopes", async () => {
    const alice = await api.signUp();
    const stranger = await api.signUp();
    const viewer = await joinAs(api, alice, "viewer");
    const shared = await draft(alice, { subject: "Quarterly report" });
    const { body: other } = await alice.post("/api/workspaces", { name: "Other" });
    const moved = await draft(alice, { subject: "Quarterly budget" });
    expect(await found(viewer, "quarterly")).toEqual([shared, moved]);
    expect(await found(stranger, "quarterly")).toEqual([]);
    expect(await found(stranger, "quarterly", `&workspaceId=${alice.workspaceId}`)).toBe(404);
    const { body: envelope } = await alice.get(`/api/requests/${moved}`);
    const { status } = await alice.put(`/api/requests/${moved}`, { ...envelope, workspaceId: other.id });
    expect(status).toBe(200);
    expect(await found(viewer, "quarterly")).toEqual([shared]);
    expect(await found(alice, "quarterly")).toEqual([shared, moved]);
    expect(await found(alice, "quarterly", `&workspaceId=${other.id}`)).toEqual([moved]);
    const { body: members } = await alice.get(`/api/workspaces/${alice.workspaceId}/members`);
    const { userId } = members.members.find(({ role }: { role: string }) => role === "viewer");
    await alice.delete(`/api/workspaces/${alice.workspaceId}/members/${userId}`);
    expect(await found(viewer, "quarterly")).toEqual([]);
  });

  test("follows changes, renames and deletions", async () => {
    const alice = await api.signUp();
    const { body: contact } = await alice.post("/api/contacts", { firstName: "Grace", lastName: "Hopper" });
    const id = await draft(alice, {
      subject: "First",
      contactId: contact.id,
      documents: [document("Passport")],
    });
    expect(await found(alice, "first grace passport")).toEqual([id]);
    const { body: read } = await alice.get(`/api/requests/${id}`);
    const changes = { ...read, subject: "Second", documents: [document("Licence")] };
    expect((await alice.put(`/api/requests/${id}`, changes)).status).toBe(200);
    expect(await found(alice, "first")).toEqual([]);
    expect(await found(alice, "passport")).toEqual([]);
    expect(await found(alice, "second licence hopper")).toEqual([id]);
    await alice.patch(`/api/contacts/${contact.id}`, { firstName: "Grace", lastName: "Murray" });
    expect(await found(alice, "hopper")).toEqual([]);
    expect(await found(alice, "murray")).toEqual([id]);
    await alice.delete(`/api/contacts/${contact.id}`);
    expect(await found(alice, "murray")).toEqual([]);
    expect(await found(alice, "second")).toEqual([id]);
    await alice.delete(`/api/requests/${id}`);
    expect(await found(alice, "second")).toEqual([]);
    const { body: workspace } = await alice.post("/api/workspaces", { name: "Second" });
    await draft(alice, { subject: "Third", workspaceId: workspace.id });
    expect(await found(alice, "third")).toHaveLength(1);
    await alice.delete(`/api/workspaces/${workspace.id}`);
    expect(await found(alice, "third")).toEqual([]);
  });

  test("is paged as the list is, and takes its filters", async () => {
    const alice = await api.signUp();
    const bob = await joinAs(api, alice, "member");
    const ids: number[] = [];
    for (let index = 0; index < 7; index += 1)
      ids.push(
        await draft(index % 3 ? alice : bob, { subject: `Page ${index}`, workspaceId: alice.workspaceId }),
      );
    await draft(alice, { subject: "Something else" });
    const pages: number[][] = [];
    for (let path: string | undefined = "/api/requests?search=page&limit=3"; path; ) {
      const { body, headers } = await alice.get(path);
      pages.push(body.map(({ id }: { id: number }) => id));
      path = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(pages).toEqual([ids.slice(4).reverse(), ids.slice(1, 4).reverse(), ids.slice(0, 1)]);
    const ofBob = ids.filter((_, index) => index % 3 === 0);
    expect(await found(bob, "page", "&assignee=me")).toEqual(ofBob);
    expect(await found(bob, "page", `&assignee=me&workspaceId=${alice.workspaceId}`)).toEqual(ofBob);
  });

  test("finds what a look at each text finds, after any changes", async () => {
    const alice = await api.signUp();
    const { pick, below, chance } = createRandom(20_261_123);
    const WORDS = [
      "Steuer",
      "Müller",
      "Ärzte",
      "契約書",
      "税務",
      "a-b",
      "x@y.example",
      "Île",
      "o'Neil",
      "42",
    ];
    const words = () => [pick(WORDS), pick(WORDS)].join(pick([" ", "-", "\t", ""]));
    const texts = new Map<number, string[]>();
    const input = () => {
      const values = { subject: words(), recipientName: words(), documents: [document(words())] };
      return { values, stored: [values.subject, values.recipientName, values.documents[0]?.name ?? ""] };
    };
    const fold = (text: string) =>
      text
        .normalize("NFD")
        .replace(/[\u0300-\u036f]/g, "")
        .toLowerCase();
    for (let step = 0; step < 25; step += 1) {
      const { values, stored } = input();
      const id = pick([...texts.keys(), 0, 0, 0]);
      if (id === 0) texts.set(await draft(alice, values), stored);
      else if (chance(0.3)) {
        await alice.delete(`/api/requests/${id}`);
        texts.delete(id);
      } else {
        expect((await alice.put(`/api/requests/${id}`, { isDraft: true, ...values })).status).toBe(200);
        texts.set(id, stored);
      }
      const letters = [...fold(pick(WORDS) + pick(["", pick(WORDS)]))];
      const from = below(letters.length);
      const part = letters.slice(from, from + 1 + below(5)).join("");
      const search = [part, pick(["", fold(pick(WORDS))])].join(" ");
      const expected = [...texts].flatMap(([id, stored]) => {
        const text = fold(stored.join("\n"));
        return search.split(" ").every((word) => text.includes(word)) ? [id] : [];
      });
      expect([search, await found(alice, search)]).toEqual([search, expected]);
    }
  });
});
