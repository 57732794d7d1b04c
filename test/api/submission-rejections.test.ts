import { beforeAll, expect, test } from "bun:test";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope, withoutDelivery } from "../support/api/envelopes";
import { multipart, trickle } from "../support/api/multipart";
import { docxFile, jpegFile, largePdfFile, pdfFile, pngFile } from "../support/files/files";

const MIB = 1024 * 1024;
const DOCUMENTS = [
  { name: "Contract", required: true },
  { name: "Photo", allowedFileTypes: ["JPG", "png"] },
  { name: "Notes", allowedFileTypes: ["txt", "csv", "svg", "html", "xlsx", "zip", "xyz"] },
];

const named = (name: string, content: BlobPart = "") => new File([content], name);
const twice = new FormData();
for (const file of [pdfFile("a.pdf"), pdfFile("b.pdf")]) twice.append("Contract", file);
const plain = new FormData();
plain.append("Contract", "just text");

/** A valid contract and these files. */
const beside = (files: Record<string, File>) => form({ Contract: pdfFile(), ...files });

type Rejection = [status: number, code: string, message: string];

const NO_CONTRACT: Rejection = [400, "missing_documents", "Please upload all required documents: Contract"];
const notRequested = (name: string): Rejection => [400, "unknown_document", `“${name}” was not requested`];
const tooLarge = (name: string): Rejection => [
  413,
  "file_too_large",
  `The file for “${name}” is larger than 1 MB`,
];
const WRONG_CONTRACT_TYPE: Rejection = [
  415,
  "file_type_not_allowed",
  "“Contract” accepts only these file types: pdf, doc, docx",
];
const mismatch = (name: string, types: string): Rejection => [
  415,
  "file_content_mismatch",
  `The file for “${name}” isn't a valid file of its type. Accepted file types: ${types}`,
];
const WRONG_CONTRACT_CONTENT = mismatch("Contract", "pdf, doc, docx");
const WRONG_PHOTO_CONTENT = mismatch("Photo", "JPG, png");
/** What is known to be a picture is named. */
const isPicture = (name: string, what: string, types: string): Rejection => [
  415,
  "file_content_mismatch",
  `The file for “${name}” is a ${what}. Accepted file types: ${types}`,
];
const WRONG_NOTES_CONTENT = mismatch("Notes", "txt, csv, svg, html, xlsx, zip, xyz");

/** What is sent, and how it is rejected. */
const REJECTIONS: [what: string, body: FormData, ...Rejection][] = [
  ["nothing", new FormData(), ...NO_CONTRACT],
  ["an optional document alone", form({ Photo: jpegFile() }), ...NO_CONTRACT],
  ["a document that was not requested", beside({ Passport: pdfFile() }), ...notRequested("Passport")],
  ["a document in other letters", form({ contract: pdfFile() }), ...notRequested("contract")],
  [
    "two files for one document",
    twice,
    400,
    "duplicate_document",
    "Only one file can be uploaded for “Contract”",
  ],
  ["text in place of a file", plain, 400, "not_a_file", "“Contract” must be a file"],
  [
    "an empty file",
    form({ Contract: named("a.pdf") }),
    400,
    "empty_file",
    "The file for “Contract” is empty",
  ],
  ["a file without a type", form({ Contract: named("contract", "x") }), ...WRONG_CONTRACT_TYPE],
  ["a file that is all extension", form({ Contract: pdfFile(".pdf") }), ...WRONG_CONTRACT_TYPE],
  ["a type that is not allowed", form({ Contract: jpegFile("a.pdf.jpg") }), ...WRONG_CONTRACT_TYPE],
  [
    "a picture with the extension of a PDF",
    form({ Contract: jpegFile("a.pdf") }),
    ...isPicture("Contract", "JPEG picture, named .pdf", "pdf, doc, docx"),
  ],
  ["a PDF with the extension of Word", form({ Contract: pdfFile("a.docx") }), ...WRONG_CONTRACT_CONTENT],
  [
    "HTML named as a PDF",
    form({ Contract: named("a.pdf", "<script>x</script>") }),
    ...WRONG_CONTRACT_CONTENT,
  ],
  [
    "a picture of a type that is not asked for, under the name of one that is",
    beside({ Photo: named("a.jpg", "GIF89a") }),
    ...isPicture("Photo", "GIF picture, named .jpg", "JPG, png"),
  ],
  ["an SVG named as a PNG", beside({ Photo: named("a.png", "<svg/>") }), ...WRONG_PHOTO_CONTENT],
  ["a program named as text", beside({ Notes: named("a.txt", "MZ\0\0\0") }), ...WRONG_NOTES_CONTENT],
  ["a PDF named as text", beside({ Notes: pdfFile("a.txt") }), ...WRONG_NOTES_CONTENT],
  ["a Word document named as a sheet", beside({ Notes: docxFile("a.xlsx") }), ...WRONG_NOTES_CONTENT],
  ["a file one byte too large", form({ Contract: largePdfFile(MIB + 1) }), ...tooLarge("Contract")],
  [
    "a small file and then a large one",
    beside({ Notes: named("a.csv", "x".repeat(MIB + 1)) }),
    ...tooLarge("Notes"),
  ],
  [
    "a path for a name",
    form({ Contract: named("../", "x") }),
    400,
    "invalid_file_name",
    "The file name for “Contract” is not valid",
  ],
];

describeApi("rejected submissions", { maxFileMb: 1 }, (api) => {
  let owner: SignedUp;
  let envelope: ApiResponse["body"];
  let link: string;
  beforeAll(async () => {
    owner = await api.signUp();
    envelope = await sendEnvelope(owner, { documents: DOCUMENTS });
    link = linkOf(envelope);
  });

  /** Expects that nothing is stored, the link still works and the envelope is unchanged. */
  async function expectUntouched() {
    expect(await api.storedFiles()).toEqual([]);
    expect(withoutDelivery((await owner.get(`/api/requests/${envelope.id}`)).body)).toEqual(
      withoutDelivery(envelope),
    );
    expect((await api.anonymous().get(link)).status).toBe(200);
  }

  test.each(REJECTIONS)("%s is rejected by name and not stored", async (_, body, status, code, message) => {
    const response = await api.anonymous().post(link, body);
    expect([response.status, response.body]).toMatchObject([status, { message, code }]);
    await expectUntouched();
  });

  test("a body that is not multipart is rejected", async () => {
    const bodies = [
      [{ Contract: "x" }, "application/json"],
      ["Contract=x", "application/x-www-form-urlencoded"],
      ["x", "text/plain"],
      ["x", "multipart/mixed; boundary=b"],
      ["x", "multipart/form-data-x; boundary=b"],
    ] as const;
    for (const [body, type] of bodies) {
      const response = await api.anonymous().send("POST", link, body, { "content-type": type });
      expect([response.status, response.body.code]).toEqual([415, "multipart_required"]);
    }
    expect((await api.anonymous().send("POST", link)).status).toBe(415);
    await expectUntouched();
  });

  test("a truncated body leaves nothing behind", async () => {
    const content = await pdfFile().bytes();
    const { bytes, type } = multipart([
      { name: "Contract", fileName: "a.pdf", content },
      { name: "Photo", fileName: "a.png", content: await pngFile().bytes() },
    ]);
    const end = bytes.length - "--\r\n".length;
    for (const length of [0, 1, 20, 60, 100, 300, content.length, end - 40, end - 12, end - 1, end]) {
      const response = await api
        .anonymous()
        .send("POST", link, bytes.slice(0, length), { "content-type": type });
      expect([length, response.status, response.body.code]).toEqual([length, 400, "upload_interrupted"]);
    }
    await expectUntouched();
  });

  test("a connection that breaks midway leaves nothing behind", async () => {
    const { bytes, type } = multipart([
      { name: "Contract", fileName: "a.pdf", content: await pdfFile().bytes() },
    ]);
    for (const breakAfter of [0, 10, 200, bytes.length - 3]) {
      const body = trickle(bytes, 64, breakAfter);
      const response = await api
        .anonymous()
        .send("POST", link, body, { "content-type": type })
        .catch(() => null);
      if (response) expect([response.status, response.body.code]).toEqual([400, "upload_interrupted"]);
    }
    await expectUntouched();
  });

  test("after rejected submissions valid files are still accepted, including the maximum size", async () => {
    const files = form({ Contract: largePdfFile(MIB), Notes: named("a.xyz", "\0anything") });
    expect((await api.anonymous().post(link, files)).status).toBe(201);
    expect(await api.storedFiles()).toHaveLength(2);
  });
});
