import { beforeAll, describe, expect, test } from "bun:test";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { linkOf, sendEnvelope } from "../support/api/envelopes";
import { pausing, trickle } from "../support/api/multipart";
import { CHUNK_TYPE, createTus, locationOf, metadataOf, TUS } from "../support/api/tus";
import { docxFile, jpegFile, largePdfFile, pdfFile, sha256 } from "../support/files/files";
import { rounds } from "../support/runtime/runtime";
import { waitFor } from "../support/wait";

const MIB = 1024 * 1024;
const DOCUMENTS = [
  { name: "Contract", required: true },
  { name: "Photos", allowedFileTypes: ["jpg", "png"], multiple: true },
];
const DAY_LATER = "Sun, 15 Mar 2026 09:26:53 GMT";
const WEEK_LATER = "Sat, 21 Mar 2026 09:26:53 GMT";

describeApi("uploads by tus", (api) => {
  let owner: SignedUp;
  beforeAll(async () => {
    owner = await api.signUp();
  });

  async function open(changes: object = {}) {
    const envelope: ApiResponse["body"] = await sendEnvelope(owner, { documents: DOCUMENTS, ...changes });
    const [contract, photos] = envelope.documents.map(({ id }: { id: number }) => id);
    return { envelope, contract, photos, tus: createTus(api, envelope) };
  }
  const outcome = ({ status, body, headers }: ApiResponse) => [
    status,
    body?.code,
    headers.get("tus-resumable"),
  ];
  const rejected = (status: number, code: string) => [status, code, "1.0.0"];

  describe("OPTIONS", () => {
    test("lists the server's capabilities", async () => {
      const { tus } = await open();
      const { status, headers, text } = await tus.client.send("OPTIONS", tus.uploads);
      expect([status, text]).toEqual([204, ""]);
      expect(Object.fromEntries(headers)).toMatchObject({
        "tus-resumable": "1.0.0",
        "tus-version": "1.0.0",
        "tus-extension": "creation,creation-with-upload,termination,expiration,checksum",
        "tus-checksum-algorithm": "sha256",
        "tus-max-size": String(5 * MIB),
      });
      expect(headers.get("access-control-allow-origin")).toBeNull();
    });
  });

  describe("the link and the version", () => {
    const CALLS = [
      ["OPTIONS", ""],
      ["POST", ""],
      ["HEAD", "/some"],
      ["PATCH", "/some"],
      ["DELETE", "/some"],
      ["POST", "/some"],
    ] as const;
    test.each(CALLS)("%s …/uploads%s checks the link first", async (method, path) => {
      const { envelope, tus, contract } = await open();
      await tus.upload(contract, pdfFile());
      const unknown = await api.anonymous().send(method, `/api/submissions/unknown/uploads${path}`);
      expect([unknown.status, unknown.headers.get("tus-resumable")]).toEqual([404, "1.0.0"]);
      expect((await tus.submit()).status).toBe(201);
      const closed = await api.anonymous().send(method, `${linkOf(envelope)}/uploads${path}`);
      expect([closed.status, closed.headers.get("tus-resumable")]).toEqual([410, "1.0.0"]);
    });

    test.each(CALLS.slice(1))("%s …/uploads%s requires version 1.0.0", async (method, path) => {
      const { tus } = await open();
      const versions: Record<string, string>[] = [{}, { "Tus-Resumable": "0.2.2" }];
      for (const headers of versions) {
        const response = await tus.client.send(method, `${tus.uploads}${path}`, undefined, headers);
        expect([response.status, response.headers.get("tus-version")]).toEqual([412, "1.0.0"]);
        expect(response.headers.get("tus-resumable")).toBe("1.0.0");
        if (method !== "HEAD") expect(response.body.code).toBe("tus_version");
      }
    });

    test("an upload cannot be downloaded through the link", async () => {
      const { tus, contract } = await open();
      const location = await tus.upload(contract, pdfFile());
      const { status, text } = await tus.send("GET", location);
      expect([status, text]).toEqual([200, ""]);
    });
  });

  describe("POST", () => {
    test("creates an upload under an unguessable path", async () => {
      const { tus, contract, envelope } = await open();
      const response = await tus.create(contract, "contract.pdf", 1000);
      expect([response.status, response.text]).toEqual([201, ""]);
      const location = locationOf(response);
      expect(location).toMatch(new RegExp(`^${linkOf(envelope)}/uploads/[\\w-]{22,}$`));
      expect(response.headers.get("upload-expires")).toBe(DAY_LATER);
      expect(await tus.document(contract)).toMatchObject({
        state: "open",
        files: [
          { id: location.split("/").at(-1), fileName: "contract.pdf", fileSize: 1000, uploadedBytes: 0 },
        ],
      });
    });

    const BAD_METADATA = [400, "invalid_upload_metadata"] as const;
    const REJECTIONS: [string, Record<string, string>, number, string][] = [
      ["no length", { "Upload-Length": "" }, 400, "invalid_upload_length"],
      ["a length that is no number", { "Upload-Length": "12x" }, 400, "invalid_upload_length"],
      ["a negative length", { "Upload-Length": "-1" }, 400, "invalid_upload_length"],
      ["a length of 30 digits", { "Upload-Length": "1".repeat(30) }, 400, "invalid_upload_length"],
      ["length 0", { "Upload-Length": "0" }, 400, "empty_file"],
      ["more than a file may have", { "Upload-Length": String(5 * MIB + 1) }, 413, "file_too_large"],
      ["no metadata", { "Upload-Metadata": "" }, ...BAD_METADATA],
      ["metadata without a file name", { "Upload-Metadata": "document MQ==" }, ...BAD_METADATA],
      ["metadata that is no base64", { "Upload-Metadata": "document ?,filename !" }, ...BAD_METADATA],
      ["metadata of 5 kB", { "Upload-Metadata": `document ${"A".repeat(5000)}` }, ...BAD_METADATA],
      ["another document", { "Upload-Metadata": metadataOf(999_999, "a.pdf") }, 400, "unknown_document"],
      ["a document by name", { "Upload-Metadata": metadataOf("Contract", "a.pdf") }, 400, "unknown_document"],
    ];
    test.each(REJECTIONS)("%s is rejected", async (_name, headers, status, code) => {
      const { tus, contract } = await open();
      expect(outcome(await tus.create(contract, "a.pdf", 10, headers))).toEqual(rejected(status, code));
      expect((await tus.document(contract)).files).toEqual([]);
    });

    test("an empty file name and one of another type are rejected", async () => {
      const { tus, contract } = await open();
      for (const name of ["", "..", "dir/"])
        expect(outcome(await tus.create(contract, name, 10))).toEqual(rejected(400, "invalid_file_name"));
      for (const name of ["a.exe", "pdf", "a.pdf.jpg"])
        expect(outcome(await tus.create(contract, name, 10))).toEqual(rejected(415, "file_type_not_allowed"));
      expect((await tus.create(contract, "../../A.PDF", 10)).status).toBe(201);
      expect((await tus.document(contract)).files[0].fileName).toBe("A.PDF");
    });

    test("a document accepts one file, finished or not, until it is deleted", async () => {
      const { tus, contract } = await open();
      const first = await tus.create(contract, "a.pdf", 10);
      expect(outcome(await tus.create(contract, "b.pdf", 10))).toEqual(rejected(409, "document_has_file"));
      expect((await tus.remove(locationOf(first))).status).toBe(204);
      const location = await tus.upload(contract, pdfFile());
      expect(outcome(await tus.create(contract, "b.pdf", 10))).toEqual(rejected(409, "document_has_file"));
      expect((await tus.remove(location)).status).toBe(204);
      expect((await tus.create(contract, "b.pdf", 10)).status).toBe(201);
    });

    test("of many concurrent uploads for one file, one is created", async () => {
      const { tus, contract } = await open();
      const responses = await Promise.all(
        Array.from({ length: 12 }, () => tus.create(contract, "a.pdf", 10)),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
    });

    test("a document of several files accepts twenty, ten of them unfinished at a time", async () => {
      const { tus, photos } = await open();
      const photo = jpegFile();
      const locations: string[] = [];
      for (let count = 0; count < 10; count += 1)
        locations.push(locationOf(await tus.create(photos, `${count}.jpg`, photo.size)));
      expect(outcome(await tus.create(photos, "11.jpg", photo.size))).toEqual(
        rejected(409, "too_many_uploads"),
      );
      for (const location of locations) await tus.patch(location, 0, await photo.bytes());
      for (let count = 10; count < 20; count += 1) await tus.upload(photos, jpegFile(`${count}.jpg`));
      expect(outcome(await tus.create(photos, "21.jpg", photo.size))).toEqual(
        rejected(409, "too_many_files"),
      );
      const { state, files } = await tus.document(photos);
      expect([state, files.length]).toEqual(["uploaded", 20]);
    });

    test("accepts the first bytes as well", async () => {
      const { tus, contract } = await open();
      const file = pdfFile();
      const bytes = await file.bytes();
      const create = (body: Uint8Array<ArrayBuffer>) =>
        tus.send(
          "POST",
          tus.uploads,
          {
            "Upload-Length": String(bytes.length),
            "Upload-Metadata": metadataOf(contract, "a.pdf"),
            "Content-Type": CHUNK_TYPE,
          },
          body,
        );
      const response = await create(bytes.slice(0, 100));
      expect([response.status, response.headers.get("upload-offset"), response.text]).toEqual([
        201,
        "100",
        "",
      ]);
      expect(response.headers.get("upload-expires")).toBe(WEEK_LATER);
      const rest = await tus.patch(locationOf(response), 100, bytes.slice(100));
      expect([rest.status, rest.headers.get("upload-offset")]).toEqual([204, String(bytes.length)]);
      await tus.remove(locationOf(response));
      expect(outcome(await create((await docxFile().bytes()).slice(0, 200)))).toEqual(
        rejected(415, "file_content_mismatch"),
      );
      expect((await tus.document(contract)).files).toEqual([]);
      expect((await create(bytes)).headers.get("upload-offset")).toBe(String(bytes.length));
    });
  });

  describe("HEAD", () => {
    test("and GET, into which networks turn it, have the same response without a body", async () => {
      const { tus, contract } = await open();
      const location = locationOf(await tus.create(contract, "a.pdf", 1000));
      await tus.patch(location, 0, (await pdfFile().bytes()).slice(0, 300));
      for (const path of [location, `${tus.uploads}/unknown`]) {
        const [head, get] = [await tus.head(path), await tus.send("GET", path)];
        expect(get.status).toBe(head.status);
        for (const name of [
          "upload-offset",
          "upload-length",
          "upload-metadata",
          "upload-expires",
          "cache-control",
        ])
          expect([name, get.headers.get(name)]).toEqual([name, head.headers.get(name)]);
        expect(get.headers.get("cache-control")).toBe("no-store");
        if (get.status === 200) expect(get.text).toBe("");
      }
      expect((await tus.client.send("GET", location)).status).toBe(412);
    });

    test("returns the offset and the metadata as it was sent", async () => {
      const { tus, contract } = await open();
      const metadata = `${metadataOf(contract, "résumé.pdf")},note,lang ZGU=`;
      const created = await tus.create(contract, "", 1000, { "Upload-Metadata": metadata });
      const location = locationOf(created);
      await tus.patch(location, 0, (await pdfFile().bytes()).slice(0, 300));
      const { status, headers, text } = await tus.head(location);
      expect([status, text]).toEqual([200, ""]);
      expect(Object.fromEntries(headers)).toMatchObject({
        "upload-offset": "300",
        "upload-length": "1000",
        "upload-metadata": metadata,
        "upload-expires": WEEK_LATER,
        "cache-control": "no-store",
        "tus-resumable": "1.0.0",
      });
    });

    test("an unknown upload and one of another link are not found", async () => {
      const [one, other] = [await open(), await open()];
      const location = locationOf(await one.tus.create(one.contract, "a.pdf", 10));
      const foreign = `${other.tus.uploads}/${location.split("/").at(-1)}`;
      for (const path of [foreign, `${one.tus.uploads}/unknown`, `${one.tus.uploads}/..%2f..%00`]) {
        expect((await one.tus.head(path)).status).toBe(404);
        expect((await one.tus.patch(path, 0, new Uint8Array(1))).status).toBe(404);
        expect((await one.tus.remove(path)).status).toBe(404);
      }
      expect((await one.tus.head(location)).status).toBe(200);
    });
  });

  describe("PATCH", () => {
    test.each([1, 63, 64, 1000, 4099, 70_000])(
      "chunks of %i bytes result in the file that was sent",
      async (size) => {
        const { tus, contract, envelope } = await open();
        const file = largePdfFile(Math.min(size * 40, 3 * MIB) + 600);
        const bytes = await file.bytes();
        const location = locationOf(await tus.create(contract, file.name, file.size));
        const most = size < 64 ? rounds(300) : bytes.length;
        for (let at = 0; at < bytes.length; ) {
          const next = at < most ? Math.min(at + size, bytes.length) : bytes.length;
          const { status, headers } = await tus.patch(location, at, bytes.slice(at, next));
          expect([status, headers.get("upload-offset")]).toEqual([204, String(next)]);
          expect(headers.get("upload-expires")).toBe(WEEK_LATER);
          at = next;
        }
        expect((await tus.submit()).status).toBe(201);
        const { body } = await owner.get(`/api/requests/${envelope.id}`);
        expect(body.submissions[0]).toMatchObject({
          fileSize: file.size,
          mimeType: "application/pdf",
          sha256: await sha256(file),
        });
        expect(await sha256(await owner.bytes(body.submissions[0].url))).toBe(await sha256(file));
      },
      60_000,
    );

    test("the content type is compared without case and parameters", async () => {
      const { tus, contract } = await open();
      const bytes = (await pdfFile().bytes()).slice(0, 300);
      const type = { "Content-Type": "Application/Offset+Octet-Stream; charset=binary" };
      const location = locationOf(await tus.create(contract, "a.pdf", 400));
      expect((await tus.patch(location, 0, bytes, type)).status).toBe(204);
    });

    test("another offset, content type or length is rejected and changes nothing", async () => {
      const { tus, contract } = await open();
      const bytes = (await pdfFile().bytes()).slice(0, 300);
      const location = locationOf(await tus.create(contract, "a.pdf", 400));
      await tus.patch(location, 0, bytes);
      const more = bytes.slice(0, 50);
      const rejections = [
        [await tus.patch(location, 0, more), 409, "offset_mismatch"],
        [await tus.patch(location, 301, more), 409, "offset_mismatch"],
        [await tus.patch(location, 300, more, { "Upload-Offset": "x" }), 400, "invalid_upload_offset"],
        [await tus.patch(location, 300, more, { "Content-Type": "text/plain" }), 415, "invalid_content_type"],
        [await tus.patch(location, 300, more, { "Upload-Checksum": "md5 AAAA" }), 400, "invalid_checksum"],
        [await tus.patch(location, 300, bytes), 413, "upload_too_long"],
      ] as const;
      for (const [answer, status, code] of rejections)
        expect(outcome(answer)).toEqual(rejected(status, code));
      expect((await tus.head(location)).headers.get("upload-offset")).toBe("300");
    });

    test("each malformed request gets its own message", async () => {
      const { tus, contract } = await open();
      const bytes = (await pdfFile().bytes()).slice(0, 300);
      const location = locationOf(await tus.create(contract, "a.pdf", 301));
      const create = (headers: Record<string, string>) => tus.create(contract, "a.pdf", 10, headers);
      const patch = (headers: Record<string, string>) => tus.patch(location, 0, bytes, headers);
      const responses = [
        await create({ "Tus-Resumable": "0.2.2" }),
        await create({ "Upload-Length": "ten" }),
        await create({ "Upload-Metadata": "document" }),
        await create({ "Upload-Metadata": metadataOf(7, "a.pdf") }),
        await patch({ "Upload-Offset": "start" }),
        await patch({ "Upload-Offset": "5" }),
        await patch({ "Content-Type": "text/plain" }),
        await patch({ "Upload-Checksum": "md5 AAAA" }),
        await patch({ "Upload-Checksum": `sha256 ${"A".repeat(43)}=` }),
        await tus.patch(location, 0, new Uint8Array(302)),
      ];
      expect(responses.map(({ status, body }) => `${status} ${body.message}`)).toEqual([
        "412 This version of the upload protocol is not supported. Please use tus 1.0.0",
        "400 Upload-Length must be the size of the file in bytes",
        "400 Upload-Metadata must have document and filename, each with its value in base64",
        "400 “7” was not requested",
        "400 Upload-Offset must be a number of bytes",
        "409 The upload continues at byte 0",
        "415 The bytes must be sent as application/offset+octet-stream",
        "400 Upload-Checksum must be sha256, a space and the SHA-256 of the bytes in base64",
        "460 The bytes do not match Upload-Checksum, and none of them were stored. Please send them again",
        "413 The upload is longer than the 301 bytes of its Upload-Length",
      ]);
      expect((await tus.head(location)).headers.get("upload-offset")).toBe("0");
    });

    test("a chunked body that is longer than announced is rejected", async () => {
      const { tus, contract } = await open();
      const bytes = await pdfFile().bytes();
      const location = locationOf(await tus.create(contract, "a.pdf", 100));
      const response = await tus.patch(location, 0, trickle(bytes, 40));
      expect(outcome(response)).toEqual(rejected(413, "upload_too_long"));
      expect(Number((await tus.head(location)).headers.get("upload-offset"))).toBeLessThanOrEqual(100);
      expect((await tus.submit()).body.code).toBe("uploads_unfinished");
    });

    test("a correct checksum is accepted, and with a wrong one nothing is stored", async () => {
      const { tus, contract, envelope } = await open();
      const file = largePdfFile(300_000);
      const bytes = await file.bytes();
      const digest = async (chunk: Uint8Array) =>
        `sha256 ${Buffer.from(await sha256(chunk), "hex").toString("base64")}`;
      const location = locationOf(await tus.create(contract, file.name, file.size));
      const first = bytes.slice(0, 100_000);
      const wrong = { "Upload-Checksum": await digest(bytes) };
      const damaged = await tus.patch(location, 0, first, wrong);
      expect(outcome(damaged)).toEqual(rejected(460, "checksum_mismatch"));
      expect((await tus.head(location)).headers.get("upload-offset")).toBe("0");
      expect((await tus.patch(location, 0, first, { "Upload-Checksum": await digest(first) })).status).toBe(
        204,
      );
      const rest = bytes.slice(100_000);
      expect((await tus.patch(location, 100_000, rest, wrong)).status).toBe(460);
      expect((await tus.head(location)).headers.get("upload-offset")).toBe("100000");
      const right = await tus.patch(location, 100_000, rest, { "Upload-Checksum": await digest(rest) });
      expect(right.status).toBe(204);
      await tus.submit();
      const { body } = await owner.get(`/api/requests/${envelope.id}`);
      expect(body.submissions[0].sha256).toBe(await sha256(file));
    });

    test("bytes that contradict the extension are rejected immediately, and the upload is removed", async () => {
      const { tus, contract, photos } = await open();
      const pdf = await pdfFile().bytes();
      const before = await api.storedFiles();
      const contradictions = [
        [contract, "a.pdf", await docxFile().bytes()],
        [contract, "a.docx", pdf],
        [photos, "a.jpg", pdf.slice(0, 64)],
        [contract, "b.pdf", new Uint8Array(1024).fill(65)],
      ] as const;
      for (const [document, name, bytes] of contradictions) {
        const location = locationOf(await tus.create(document, name, 1_000_000));
        const response = await tus.patch(location, 0, bytes);
        expect(outcome(response)).toEqual(rejected(415, "file_content_mismatch"));
        expect((await tus.head(location)).status).toBe(404);
        expect((await tus.document(document)).files).toEqual([]);
      }
      expect(await api.storedFiles()).toEqual(before);
    });

    test("a short file that contradicts its extension is rejected with its last byte", async () => {
      const { tus, contract } = await open();
      const location = locationOf(await tus.create(contract, "a.pdf", 10));
      expect((await tus.patch(location, 0, new Uint8Array(9).fill(65))).status).toBe(204);
      const response = await tus.patch(location, 9, new Uint8Array(1).fill(65));
      expect(outcome(response)).toEqual(rejected(415, "file_content_mismatch"));
      expect((await tus.head(location)).status).toBe(404);
    });

    test("a file that an interrupted request left complete is checked before it counts as uploaded", async () => {
      const { tus, contract } = await open();
      const before = await api.storedFiles();
      const { size } = pdfFile();
      /** What remains of a request that broke after the last byte: every byte, and no detected type. */
      const breakAfter = async (sample: Uint8Array) => {
        const location = await tus.upload(contract, pdfFile());
        await api.execute(
          `update uploads set completed_at = null, sha256 = null, mime_type = null, sample = '${Buffer.from(sample).toString("base64")}'
           where id = '${location.split("/").at(-1)}'`,
        );
        return location;
      };
      const html = new TextEncoder().encode("<script>alert(1)</script>");
      for (const finish of [tus.head, (location: string) => tus.patch(location, size, new Uint8Array())]) {
        const bad = await breakAfter(html);
        expect((await finish(bad)).status).toBe(415);
        expect((await tus.head(bad)).status).toBe(404);
        expect((await tus.document(contract)).files).toEqual([]);
        expect(await api.storedFiles()).toEqual(before);
      }
      const good = await breakAfter(await pdfFile().bytes());
      expect((await tus.head(good)).status).toBe(200);
      expect((await tus.submit()).status).toBe(201);
      const types = await api.select("select mime_type from submissions order by id desc limit 1");
      expect(types).toEqual([{ mime_type: "application/pdf" }]);
    });

    test("bytes and checksums after the last byte are rejected, and the upload stays", async () => {
      const { tus, contract } = await open();
      const bytes = await pdfFile().bytes();
      const location = await tus.upload(contract, pdfFile());
      const end = bytes.length;
      const tooLong = rejected(413, "upload_too_long");
      expect(outcome(await tus.patch(location, end, new Uint8Array(1)))).toEqual(tooLong);
      expect(outcome(await tus.patch(location, end, trickle(new Uint8Array(10), 5)))).toEqual(tooLong);
      const wrong = { "Upload-Checksum": `sha256 ${Buffer.alloc(32).toString("base64")}` };
      expect(outcome(await tus.patch(location, end, new Uint8Array(), wrong))).toEqual(
        rejected(460, "checksum_mismatch"),
      );
      expect((await tus.patch(location, end, new Uint8Array())).status).toBe(204);
      const empty = Buffer.from(await sha256(new Uint8Array()), "hex").toString("base64");
      const right = { "Upload-Checksum": `sha256 ${empty}` };
      expect((await tus.patch(location, end, new Uint8Array(), right)).status).toBe(204);
      expect((await tus.submit()).body.submissions[0].sha256).toBe(await sha256(pdfFile()));
    });

    test("while one request writes, another is rejected, and the offset stays readable", async () => {
      const { tus, contract } = await open();
      const file = largePdfFile(200_000);
      const bytes = await file.bytes();
      const location = locationOf(await tus.create(contract, file.name, file.size));
      const { stream: slow, resume: resolve } = pausing(bytes, 100_000);
      const first = tus.patch(location, 0, slow);
      const row = `select locked_by from uploads where id = '${location.split("/").at(-1)}'`;
      await waitFor("the lock", async () => (await api.select(row))[0]?.locked_by);
      expect(outcome(await tus.patch(location, 0, bytes))).toEqual(rejected(423, "upload_locked"));
      expect((await tus.head(location)).headers.get("upload-offset")).toBe("0");
      resolve();
      expect((await first).status).toBe(204);
      expect((await tus.head(location)).headers.get("upload-offset")).toBe(String(bytes.length));
    });

    test("a request whose lock another has taken meanwhile changes nothing, and one whose upload was deleted leaves no bytes", async () => {
      const { tus, contract } = await open();
      const bytes = await largePdfFile(200_000).bytes();
      const before = await api.storedFiles();
      for (const [change, status, code] of [
        ["update uploads set locked_by = 'other'", 423, "upload_locked"],
        ["delete from uploads", 404, "not_found"],
      ] as const) {
        const location = locationOf(await tus.create(contract, "a.pdf", bytes.length));
        const id = location.split("/").at(-1);
        const { stream, resume } = pausing(bytes, 100_000);
        const response = tus.patch(location, 0, stream);
        const row = `select locked_by, offset from uploads where id = '${id}'`;
        await waitFor("the lock", async () => (await api.select(row))[0]?.locked_by);
        await api.execute(`${change} where id = '${id}'`);
        resume();
        expect(outcome(await response)).toEqual(rejected(status, code));
        await api.finishBackgroundWork();
        if (status === 423) {
          expect(await api.select(row)).toEqual([{ locked_by: "other", offset: 0 }]);
          await tus.remove(location);
        }
        expect((await tus.head(location)).status).toBe(404);
        expect(await api.storedFiles()).toEqual(before);
      }
    });

    test("a lock whose request has ended expires within 20 seconds", async () => {
      const { tus, contract } = await open();
      const bytes = await pdfFile().bytes();
      const location = locationOf(await tus.create(contract, "a.pdf", bytes.length));
      await api.execute(
        `update uploads set locked_by = 'gone', locked_until = '2026-03-14T09:27:08.000Z'
         where id = '${location.split("/").at(-1)}'`,
      );
      expect((await tus.patch(location, 0, bytes)).status).toBe(423);
      await api.setClock("2026-03-14T09:27:13.000Z");
      expect((await tus.patch(location, 0, bytes)).status).toBe(204);
      await api.setClock("2026-03-14T09:26:53.000Z");
    });

    test("an interrupted request stores the received bytes, and the upload continues from there", async () => {
      const { tus, contract } = await open();
      const file = largePdfFile(500_000);
      const bytes = await file.bytes();
      const location = locationOf(await tus.create(contract, file.name, file.size));
      await tus.patch(location, 0, trickle(bytes, 10_000, 130_000)).catch(() => {});
      await api.finishBackgroundWork();
      const row = `select locked_by from uploads where id = '${location.split("/").at(-1)}'`;
      await waitFor("no lock", async () => !(await api.select(row))[0]?.locked_by);
      const offset = Number((await tus.head(location)).headers.get("upload-offset"));
      expect(offset).toBeLessThanOrEqual(130_000);
      if (api.runtime === "bun") expect(offset).toBe(130_000);
      expect((await tus.patch(location, offset, bytes.slice(offset))).status).toBe(204);
      expect((await tus.submit()).body.submissions[0].sha256).toBe(await sha256(file));
    });

    test("an upload whose checks were interrupted is finished by the next request", async () => {
      const { tus, contract } = await open();
      const file = pdfFile();
      const location = await tus.upload(contract, file);
      await api.execute(
        `update uploads set completed_at = null, sha256 = null where id = '${location.split("/").at(-1)}'`,
      );
      const [document] = [await tus.document(contract)];
      expect([document.state, document.files[0].uploadedBytes]).toEqual(["open", file.size - 1]);
      expect((await tus.submit()).body.code).toBe("uploads_unfinished");
      expect((await tus.head(location)).headers.get("upload-offset")).toBe(String(file.size));
      expect((await tus.document(contract)).state).toBe("uploaded");
      expect((await tus.submit()).body.submissions[0].sha256).toBe(await sha256(file));
    });
  });

  describe("DELETE and X-HTTP-Method-Override", () => {
    test("removes an upload with its bytes, finished or not", async () => {
      const { tus, contract } = await open();
      const before = await api.storedFiles();
      const bytes = await largePdfFile(MIB).bytes();
      for (const sent of [0, 1, 5000, MIB]) {
        const location = locationOf(await tus.create(contract, "a.pdf", MIB));
        if (sent > 0) await tus.patch(location, 0, bytes.slice(0, sent));
        const response = await tus.remove(location);
        expect([response.status, response.text, response.headers.get("tus-resumable")]).toEqual([
          204,
          "",
          "1.0.0",
        ]);
        expect((await tus.remove(location)).status).toBe(404);
      }
      expect((await tus.document(contract)).files).toEqual([]);
      expect(await api.storedFiles()).toEqual(before);
    });

    test("a client that can only POST gives the method in a header", async () => {
      const { tus, contract } = await open();
      const bytes = await pdfFile().bytes();
      const location = locationOf(await tus.create(contract, "a.pdf", bytes.length));
      const as = (method: string, headers = {}, body?: Uint8Array<ArrayBuffer>) =>
        tus.send("POST", location, { "X-HTTP-Method-Override": method, ...headers }, body);
      const chunk = { "Content-Type": CHUNK_TYPE, "Upload-Offset": "0" };
      expect((await as("PATCH", chunk, bytes)).status).toBe(204);
      const head = await as("HEAD");
      expect([head.status, head.headers.get("upload-offset")]).toEqual([200, String(bytes.length)]);
      expect((await as("DELETE")).status).toBe(204);
      expect((await as("HEAD")).status).toBe(404);
      expect(outcome(await tus.send("POST", location))).toEqual(rejected(404, "not_found"));
    });

    test("another site cannot use any method", async () => {
      const { tus, contract } = await open();
      const location = locationOf(await tus.create(contract, "a.pdf", 10));
      for (const [method, path] of [
        ["POST", tus.uploads],
        ["PATCH", location],
        ["DELETE", location],
        ["POST", location],
      ] as const) {
        const response = await tus.send(method, path, { Origin: "https://evil.example" });
        expect(outcome(response)).toEqual(rejected(403, "cross_site"));
      }
    });
  });

  test("an upload expires seven days after its last byte, with its bytes", async () => {
    const { tus, contract } = await open();
    const bytes = await largePdfFile(100_000).bytes();
    const location = locationOf(await tus.create(contract, "a.pdf", 100_000));
    await tus.patch(location, 0, bytes.slice(0, 50_000));
    const [row] = await api.select(
      `select file_path from uploads where id = '${location.split("/").at(-1)}'`,
    );
    await api.runJobs("2026-03-21T09:26:50.000Z");
    const alive = await tus.patch(location, 50_000, bytes.slice(50_000, 60_000));
    expect(alive.headers.get("upload-expires")).toBe("Sat, 28 Mar 2026 09:26:50 GMT");
    await api.setClock("2026-03-28T09:26:51.000Z");
    expect((await tus.head(location)).status).toBe(404);
    await api.runJobs();
    expect((await tus.document(contract)).files).toEqual([]);
    expect(await api.storedFiles()).not.toContain(String(row?.file_path));
    await api.setClock("2026-03-14T09:26:53.000Z");
  });

  test("an upload without a byte expires a day after its creation, whatever requests it gets", async () => {
    const { tus, contract } = await open();
    const created = await tus.create(contract, "a.pdf", 100_000);
    const location = locationOf(created);
    expect(created.headers.get("upload-expires")).toBe(DAY_LATER);
    await api.runJobs("2026-03-15T09:26:50.000Z");
    for (const body of [new Uint8Array(), trickle(new Uint8Array(), 1)]) {
      const empty = await tus.patch(location, 0, body);
      expect([empty.status, empty.headers.get("upload-expires")]).toEqual([204, DAY_LATER]);
    }
    expect((await tus.head(location)).status).toBe(200);
    await api.setClock("2026-03-15T09:26:53.000Z");
    expect((await tus.head(location)).status).toBe(404);
    expect((await tus.patch(location, 0, new Uint8Array(1))).status).toBe(404);
    await api.runJobs();
    expect((await tus.document(contract)).files).toEqual([]);
    await api.setClock("2026-03-14T09:26:53.000Z");
  });

  test("an empty request does not prolong an upload with bytes", async () => {
    const { tus, contract } = await open();
    const location = locationOf(await tus.create(contract, "a.pdf", 100_000));
    await tus.patch(location, 0, (await largePdfFile(100_000).bytes()).slice(0, 50_000));
    await api.setClock("2026-03-20T09:26:53.000Z");
    const empty = await tus.patch(location, 50_000, trickle(new Uint8Array(), 1));
    expect([empty.status, empty.headers.get("upload-expires")]).toEqual([204, WEEK_LATER]);
    await api.setClock("2026-03-21T09:26:53.000Z");
    expect((await tus.head(location)).status).toBe(404);
    await api.setClock("2026-03-14T09:26:53.000Z");
  });

  test("an upload of which the store has lost bytes is gone at the next chunk, and begins again", async () => {
    const { tus, contract } = await open();
    const file = largePdfFile(100_000);
    const bytes = await file.bytes();
    const location = locationOf(await tus.create(contract, file.name, file.size));
    await tus.patch(location, 0, bytes.slice(0, 50_000));
    // As if the store had 50,000 of 60,000 bytes.
    await api.execute(`update uploads set offset = 60000 where id = '${location.split("/").at(-1)}'`);
    expect(outcome(await tus.patch(location, 60_000, bytes.slice(60_000)))).toEqual(
      rejected(404, "not_found"),
    );
    expect((await tus.head(location)).status).toBe(404);
    await tus.upload(contract, file);
    expect((await tus.submit()).status).toBe(201);
  });

  test("any other path under the link's uploads returns a JSON 404", async () => {
    const { tus } = await open();
    for (const [method, path] of [
      ["PUT", tus.uploads],
      ["GET", tus.uploads],
      ["PATCH", `${tus.uploads}/a/b`],
    ] as const) {
      const { status, body } = await tus.client.send(method, path, undefined, TUS);
      expect([status, body.code]).toEqual([404, "not_found"]);
    }
  });
});
