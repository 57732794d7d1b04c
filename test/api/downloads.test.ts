import { beforeAll, expect, test } from "bun:test";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { multipart } from "../support/api/multipart";
import { docxFile, jpegFile, largePdfFile, pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";
import { waitFor } from "../support/wait";

const PDF = await pdfFile().bytes();
const TYPES = ["pdf", "docx", "html", "svg", "txt", "jpg", "xyz"];

/** The file name sent, and the name stored; null if it is rejected. */
const NAMES: [sent: string, stored: string | null][] = [
  ["plain.pdf", "plain.pdf"],
  ["with space & plus+.pdf", "with space & plus+.pdf"],
  ["a %22quoted%22 name.pdf", 'a "quoted" name.pdf'],
  ["line%0D%0Abreak.pdf", "linebreak.pdf"],
  ["Set-Cookie%0d%0a: a=b.pdf", "Set-Cookie: a=b.pdf"],
  ["100 %25 %2e%2E%00.pdf", "100 %25 %2e%2E%00.pdf"],
  ["résumé ☃ 日本語 🎉.pdf", "résumé ☃ 日本語 🎉.pdf"],
  ["semi;colon='x'(1)*!.pdf", "semi;colon='x'(1)*!.pdf"],
  ["evil\u202efdp.pdf", "evilfdp.pdf"],
  ["../../../etc/passwd.pdf", "passwd.pdf"],
  ["C:\\Users\\me\\scan.pdf", "scan.pdf"],
  ["/uploads/x.pdf", "x.pdf"],
  [`${"x".repeat(400)}.pdf`, `${"x".repeat(251)}.pdf`],
  [`${"é".repeat(251)}.pdf`, `${"é".repeat(251)}.pdf`],
  [`${"🎉".repeat(200)}.pdf`, `${"🎉".repeat(125)}\ufffd.pdf`],
  [".pdf", null],
  ["..", null],
  ["a/", null],
  ["\u202e", null],
];

/** The file name that an RFC 6266 client reads from the header. */
const nameIn = (header: string | null) =>
  decodeURIComponent(/filename\*=UTF-8''([^;]+)$/.exec(header ?? "")?.[1] ?? "");

describeApi("downloads", { maxFileMb: 40 }, (api) => {
  let owner: SignedUp;
  beforeAll(async () => {
    owner = await api.signUp();
  });

  async function submitted(files: Record<string, File>): Promise<ApiResponse["body"][]> {
    const documents = Object.keys(files).map((name) => ({ name, allowedFileTypes: TYPES }));
    const envelope = await sendEnvelope(owner, { documents });
    expect((await api.anonymous().post(linkOf(envelope), form(files))).status).toBe(201);
    return (await owner.get(`/api/requests/${envelope.id}`)).body.submissions;
  }

  test("an uploaded script has no type that a page would run, and is not sent to one", async () => {
    const documents = [{ name: "Program", allowedFileTypes: ["js", "mjs", "html", "xml", "txt"] }];
    for (const name of ["evil.js", "evil.mjs", "evil.html", "evil.xml", "evil.txt"]) {
      const envelope = await sendEnvelope(owner, { documents });
      const file = new File(["/* <x/> */ alert(1)"], name, { type: "text/javascript" });
      expect((await api.anonymous().post(linkOf(envelope), form({ Program: file }))).status).toBe(201);
      const [{ url }] = (await owner.get(`/api/requests/${envelope.id}`)).body.submissions;
      const { status, headers } = await owner.get(url);
      expect([name, status, headers.get("x-content-type-options")]).toEqual([name, 200, "nosniff"]);
      expect(headers.get("content-type")).not.toMatch(/script|css|wasm/);
      for (const destination of [
        "script",
        "worker",
        "sharedworker",
        "serviceworker",
        "audioworklet",
        "style",
        "xslt",
      ])
        expect((await owner.get(url, { "sec-fetch-dest": destination })).status).toBe(404);
      for (const destination of ["document", "empty", "image"])
        expect((await owner.get(url, { "sec-fetch-dest": destination })).status).toBe(200);
    }
  });

  test.each(NAMES)("a file named %j is stored as %j and downloaded under that name", async (sent, stored) => {
    const envelope = await sendEnvelope(owner);
    const { bytes, type } = multipart([{ name: "Contract", fileName: sent, content: PDF }]);
    const response = await api.anonymous().send("POST", linkOf(envelope), bytes, { "content-type": type });
    if (stored === null) return expect(response.status).toBeOneOf([400, 415]);
    expect(response.status).toBe(201);
    const [submission] = (await owner.get(`/api/requests/${envelope.id}`)).body.submissions;
    expect(submission.fileName).toBe(stored);
    const { status, headers } = await owner.get(submission.url);
    const header = headers.get("content-disposition") ?? "";
    expect([status, nameIn(header)]).toEqual([200, stored]);
    expect(header).toMatch(/^inline; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w%.~!$&+^`|-]*$/);
  });

  test("PDFs and pictures are shown inline, everything else is an attachment, and ?download always is", async () => {
    const script = "<script>alert(document.domain)</script>";
    const files = {
      pdf: pdfFile(),
      jpg: jpegFile(),
      docx: docxFile(),
      html: new File([script], "page.html"),
      svg: new File([`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`], "a.svg"),
      txt: new File([script], "a.txt"),
      xyz: new File([script], "a.xyz"),
    };
    for (const { documentName, url, mimeType } of await submitted(files)) {
      const inline = ["pdf", "jpg"].includes(documentName);
      const shown = await owner.get(url);
      expect([shown.status, shown.headers.get("content-type")]).toEqual([200, mimeType]);
      expect(shown.headers.get("content-disposition")).toStartWith(inline ? "inline;" : "attachment;");
      for (const query of ["?download", "?download=1", "?download="])
        expect((await owner.get(url + query)).headers.get("content-disposition")).toStartWith("attachment;");
      const policy = shown.headers.get("content-security-policy") ?? "";
      for (const part of [
        "default-src 'none'",
        "sandbox",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
        expect(policy.split("; ")).toContain(part);
      expect(policy).not.toContain("allow-scripts");
      expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
      expect(shown.headers.get("cache-control")).toStartWith("private");
    }
  });

  test("a range request returns a part of the file", async () => {
    const [{ url }] = await submitted({ A: pdfFile() });
    const size = PDF.length;
    const ranges = [
      ["bytes=0-9", 0, 10],
      ["bytes=10-", 10, size],
      ["bytes=-5", size - 5, size],
      [`bytes=0-${size + 100}`, 0, size],
      [`bytes=${size - 1}-${size - 1}`, size - 1, size],
      [`bytes=-${size + 1}`, 0, size],
    ] as const;
    for (const [range, start, end] of ranges) {
      const response = await owner.get(url, { range });
      expect([response.status, response.headers.get("content-range"), response.text]).toEqual([
        206,
        `bytes ${start}-${end - 1}/${size}`,
        new TextDecoder().decode(PDF.slice(start, end)),
      ]);
      expect(response.headers.get("content-length")).toBe(String(end - start));
    }
    for (const range of [`bytes=${size}-`, "bytes=-0", `bytes=${"9".repeat(15)}-`]) {
      const response = await owner.get(url, { range });
      expect([response.status, response.headers.get("content-range"), response.body]).toEqual([
        416,
        `bytes */${size}`,
        { code: "range_not_satisfiable", message: "That part of the file does not exist" },
      ]);
    }
    for (const range of [
      "bytes=5-1",
      "bytes=a-b",
      "bytes=0-1,3-4",
      "lines=0-1",
      "bytes",
      "bytes=-",
      `bytes=${"9".repeat(40)}-`,
    ])
      expect((await owner.get(url, { range })).status).toBe(200);
    const etag = (await owner.get(url)).headers.get("etag") ?? "";
    expect((await owner.get(url, { range: "bytes=0-9", "if-range": etag })).status).toBe(206);
    expect((await owner.get(url, { range: "bytes=0-9", "if-range": '"other"' })).status).toBe(200);
  });

  test("a client with the current file gets 304, and HEAD has the headers without the body", async () => {
    const [{ url }] = await submitted({ A: pdfFile() });
    const whole = await owner.get(url);
    expect(whole.headers.get("accept-ranges")).toBe("bytes");
    expect(whole.headers.get("content-length")).toBe(String(PDF.length));
    const etag = whole.headers.get("etag") ?? "";
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await owner.get(url, { "if-none-match": header });
      expect([header, response.status, response.text]).toEqual([header, 304, ""]);
    }
    expect((await owner.get(url, { "if-none-match": '"other"' })).status).toBe(200);
    const head = await owner.send("HEAD", url);
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["content-type", "content-disposition", "etag", "content-security-policy"])
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
  });

  test("an account receives twenty archives at once, and the next once one of them has ended or is stuck", async () => {
    await api.setClock(TEST_START);
    const alice = await api.signUp();
    const envelope = await sendEnvelope(alice);
    const files = form({ Contract: largePdfFile(24_000_000) });
    expect((await api.anonymous().post(linkOf(envelope), files)).status).toBe(201);
    const url = `${api.origin}/api/requests/files.zip?ids=${envelope.id}`;
    // A response that nothing refers to any more is ended by the garbage collector.
    const all: Response[] = [];
    const archive = async (method = "GET") => {
      const response = await api.fetch(new Request(url, { method, headers: { cookie: alice.cookie } }));
      all.push(response);
      return response;
    };
    await Promise.all(Array.from({ length: 20 }, () => archive()));
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const rejected = await archive();
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "10"]);
    expect(((await rejected.json()) as { code: string }).code).toBe("rate_limited");
    expect((await archive("HEAD")).status).toBe(200);
    expect((await owner.get("/api/user/export")).status).toBe(200);
    expect((await all.shift()?.bytes())?.length).toBeGreaterThan(24_000_000);
    // It may have any number of files.
    expect((await alice.get("/api/user/export")).status).toBe(429);
    expect((await archive()).status).toBe(200);
    expect((await archive()).status).toBe(429);
    // Whose first bytes are still on their way when the clock changes is not stuck, but may be the next time.
    let now = Date.parse(TEST_START);
    await waitFor("a download to be stuck", async () => {
      now += 10 * 60_000;
      await api.setClock(new Date(now).toISOString());
      return (await archive()).status === 200;
    });
    let isStopped = false;
    for (const one of all)
      if (!isStopped && !one.bodyUsed)
        isStopped = await one.bytes().then(
          () => false,
          () => true,
        );
    expect(isStopped).toBe(true);
    await api.setClock(TEST_START);
  });

  test("only the owner can download a file, and only under its own path", async () => {
    const other = await api.signUp();
    const [{ url }] = await submitted({ A: pdfFile() });
    const missing = { status: 404, body: { message: "Not found", code: "not_found" } };
    for (const client of [other, api.anonymous()])
      for (const path of [url, `${url}?download`]) {
        expect(await client.get(path)).toMatchObject(missing);
        expect((await client.get(path, { range: "bytes=0-1", "if-none-match": "*" })).status).toBe(404);
        expect((await client.send("HEAD", path)).status).toBe(404);
      }
    const name = url.slice("/uploads/".length);
    for (const path of [
      `/uploads/${name}%00`,
      `/uploads/%00${name}`,
      `/uploads/..%2fuploads%2f${name}`,
      `/uploads/${name}/`,
      `/uploads//${name}`,
      `/uploads/${name.toUpperCase()}`,
      "/uploads/",
      "/uploads/..%2f..%2fdoculopes.db",
      "/uploads/%2e%2e",
      "/uploads/%zz",
      "/uploads/null",
      `/uploads/${"x".repeat(3000)}`,
    ])
      expect([path, (await owner.get(path)).status]).toEqual([path, 404]);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect((await owner.send(method, url)).status).toBe(404);
    expect((await owner.get(url)).status).toBe(200);
  });
});
