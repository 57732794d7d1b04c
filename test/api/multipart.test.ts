import { beforeAll, expect, test } from "bun:test";
import { describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { concatBytes, multipart, type Part, trickle } from "../support/api/multipart";
import { pdfFile } from "../support/files/files";

const text = new TextEncoder();
const PDF = await pdfFile().text();
const FILE: Part = { name: "Contract", fileName: "a.pdf", content: PDF };
const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}\r\n\r\n`;

/** Malformed bodies that no browser sends. */
const MALFORMED: [what: string, parts: Part[]][] = [
  ["a part without a name", [{ fileName: "a.pdf", content: PDF }]],
  ["a part without headers", [{ headers: "\r\n", content: PDF }]],
  [
    "a part that is no form-data",
    [{ headers: 'Content-Disposition: attachment; name="Contract"; filename="a.pdf"\r\n\r\n', content: PDF }],
  ],
  [
    "two dispositions in one part",
    [
      {
        headers: `${disposition('name="Contract"; filename="a.pdf"').trim()}\r\n${disposition('name="Contract"; filename="b.pdf"')}`,
        content: PDF,
      },
    ],
  ],
  ["headers cut short", [{ headers: 'Content-Disposition: form-data; name="Contract"' }]],
  [
    "headers cut short after a whole part",
    [FILE, { headers: 'Content-Disposition: form-data; name="Contract"' }],
  ],
  ["headers that never end", [{ headers: `X: ${"x".repeat(20_000)}` }]],
  [
    "a hundred headers too many",
    [
      {
        headers: `${"X: y\r\n".repeat(200)}${disposition('name="Contract"; filename="a.pdf"')}`,
        content: PDF,
      },
    ],
  ],
  ["a name of a megabyte", [{ ...FILE, fileName: `${"x".repeat(1_000_000)}.pdf` }]],
  [
    "an extended file name that is not encoded right",
    [{ headers: disposition("name=\"Contract\"; filename*=UTF-8''%zz"), content: PDF }],
  ],
  ["a raw line break in a name", [{ ...FILE, fileName: "a\n.pdf" }]],
  ["more parts than documents", [FILE, ...Array.from({ length: 50 }, () => FILE)]],
];

describeApi("multipart bodies", (api) => {
  let owner: SignedUp;
  beforeAll(async () => {
    owner = await api.signUp();
  });
  const send = (link: string, body: unknown, type: string) =>
    api.anonymous().send("POST", link, body, { "content-type": type });

  test.each(MALFORMED)("%s: rejected, and nothing is stored", async (what, parts) => {
    const link = linkOf(await sendEnvelope(owner));
    const before = await api.storedFiles();
    const { bytes, type } = multipart(parts);
    for (const body of [bytes, trickle(bytes, 4096)]) {
      const response = await send(link, body, type);
      expect(response.status).toBe(400);
      expect(response.body.code).toBe(
        what.startsWith("more parts") ? "duplicate_document" : "malformed_multipart",
      );
    }
    expect(await api.storedFiles()).toEqual(before);
    expect((await api.anonymous().get(link)).status).toBe(200);
  });

  test.each([
    "multipart/form-data",
    "multipart/form-data;",
    "multipart/form-data; charset=utf-8",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary=""',
    "multipart/form-data; boundary=a b",
    `multipart/form-data; boundary=${"x".repeat(71)}`,
    `multipart/form-data; boundary=${"x".repeat(252)}`,
    `multipart/form-data; boundary=${"x".repeat(508)}`,
    "multipart/form-data; boundary=é",
  ])("the type %s has no valid boundary", async (type) => {
    const link = linkOf(await sendEnvelope(owner));
    const { bytes } = multipart([FILE], { boundary: /boundary=(x+)/.exec(type)?.[1] });
    expect((await send(link, bytes, type)).body.code).toBe("malformed_multipart");
  });

  test("a body is parsed the same in chunks of any size, with a preamble and an epilogue", async () => {
    const { bytes, type } = multipart([
      FILE,
      { name: "Letter", fileName: "b.pdf", content: `${PDF}\r\n--\r\n------ed\r\n-` },
    ]);
    const whole = concatBytes([
      text.encode("preamble\r\n"),
      bytes,
      text.encode("epilogue\r\n------edge\r\n\r\nmore"),
    ]);
    for (const size of [1, 2, 3, 7, 61, 512, whole.length]) {
      const envelope = await sendEnvelope(owner, { documents: [{ name: "Contract" }, { name: "Letter" }] });
      const response = await send(linkOf(envelope), trickle(whole, size), type);
      expect([
        size,
        response.status,
        response.body.submissions?.map(({ fileSize }: { fileSize: number }) => fileSize),
      ]).toEqual([size, 201, [PDF.length, PDF.length + 17]]);
    }
  });

  test("control characters are stripped from a file's name but not from its content, in chunks of any size", async () => {
    const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join("");
    const raw = `${controls.replace(/[\r\n]/g, "")}\x7f`;
    const content = `${PDF}\r\n${controls}\x7f\r\n\r\n--\x01\r\n--\x02`;
    const parts = [
      { name: "Contract", fileName: `a${raw}b%0D%0A\u0085\u202ec.pdf`, content },
      { name: `Let${raw.slice(1)}ter`, fileName: "d.pdf", content: PDF },
    ];
    const { bytes, type } = multipart(parts);
    for (const size of [1, 7, bytes.length]) {
      const documents = [{ name: "Contract" }, { name: `Let${raw.slice(1)}ter` }];
      const envelope = await sendEnvelope(owner, { documents });
      const response = await send(linkOf(envelope), trickle(bytes, size), type);
      expect([size, response.status, response.body.code]).toEqual([size, 201, undefined]);
      expect(response.body.submissions.map(({ fileName }: { fileName: string }) => fileName)).toEqual([
        "abc.pdf",
        "d.pdf",
      ]);
      const { body } = await owner.get(`/api/requests/${envelope.id}`);
      expect(new TextDecoder().decode(await owner.bytes(body.submissions[0].url))).toBe(content);
    }
  });

  test("a boundary may be quoted, have 70 characters and contain every allowed character", async () => {
    for (const boundary of ["x".repeat(70), "'()+_,-./:=?", "0"]) {
      const link = linkOf(await sendEnvelope(owner));
      const { bytes } = multipart([FILE], { boundary });
      const type = `Multipart/Form-Data; charset=utf-8; boundary="${boundary}"`;
      expect((await send(link, bytes, type)).status).toBe(201);
    }
  });

  test("document names are decoded as browsers encode them, with exactly three escapes", async () => {
    const names = [
      'The "big" one',
      "50 % off",
      "a%41b",
      "50%22",
      "first\nsecond",
      "é ☃ 日本 🎉",
      "semi;colon=x",
      "back\\slash",
      "' or 1=1",
    ];
    const envelope = await sendEnvelope(owner, {
      documents: names.map((name) => ({ name, required: true })),
    });
    const response = await api
      .anonymous()
      .post(linkOf(envelope), form(Object.fromEntries(names.map((name) => [name, pdfFile()]))));
    expect([
      response.status,
      response.body.submissions?.map(({ documentName }: { documentName: string }) => documentName),
    ]).toEqual([201, names]);
  });

  test("what a form sends for a file input without a file is no file", async () => {
    const documents = [{ name: "Contract", required: true }, { name: "Letter" }];
    const envelope = await sendEnvelope(owner, { documents });
    const submit = (...parts: Part[]) => {
      const { bytes, type } = multipart(parts);
      return send(linkOf(envelope), bytes, type);
    };
    const empty = { fileName: "", content: "" };
    expect((await submit({ name: "Contract", ...empty })).body.code).toBe("missing_documents");
    expect((await submit(FILE, { name: "Other", ...empty })).body.code).toBe("unknown_document");
    expect((await submit(FILE, { name: "Letter", ...empty })).status).toBe(201);
  });

  test("a document may be named like a property of every object", async () => {
    const names = ["__proto__", "constructor", "toString"];
    const envelope = await sendEnvelope(owner, { documents: names.map((name) => ({ name })) });
    const parts = names.map((name) => ({ ...FILE, name }));
    const { bytes, type } = multipart(parts);
    expect((await send(linkOf(envelope), bytes, type)).status).toBe(201);
    const other = linkOf(await sendEnvelope(owner));
    for (const name of names) {
      const rejected = multipart([{ ...FILE, name }]);
      expect((await send(other, rejected.bytes, rejected.type)).body.code).toBe("unknown_document");
    }
  });
});
