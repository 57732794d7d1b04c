import { beforeAll, expect, test } from "bun:test";
import { describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { multipart, trickle } from "../support/api/multipart";
import { largePdfFile, pdfFile } from "../support/files/files";

const MIB = 1024 * 1024;
const DOCUMENTS = [{ name: "A" }, { name: "B" }, { name: "C" }];

describeApi("upload limits", { maxFileMb: 1 }, (api) => {
  let owner: SignedUp;
  beforeAll(async () => {
    owner = await api.signUp();
  });

  async function sizes(...bytes: number[]) {
    const parts = bytes.map(async (size, index) => ({
      name: "ABC"[index] ?? "",
      fileName: "a.pdf",
      content: await largePdfFile(size).bytes(),
    }));
    return multipart(await Promise.all(parts));
  }

  test("one byte too many is rejected, with a known length, chunked, or behind smaller files", async () => {
    const link = linkOf(await sendEnvelope(owner, { documents: DOCUMENTS }));
    for (const bytes of [[MIB + 1], [MIB, MIB, MIB + 1]]) {
      const body = await sizes(...bytes);
      const headers = { "content-type": body.type };
      for (const sent of [body.bytes, trickle(body.bytes, 50_000)]) {
        const response = await api.anonymous().send("POST", link, sent, headers);
        expect([response.status, response.body.code]).toEqual([413, "file_too_large"]);
        expect(await api.storedFiles()).toEqual([]);
      }
    }
  });

  test("each file of the maximum size is accepted, and a second request cannot add more", async () => {
    const link = linkOf(await sendEnvelope(owner, { documents: DOCUMENTS }));
    const { bytes, type } = await sizes(MIB, MIB, MIB);
    const headers = { "content-type": type };
    const before = (await api.storedFiles()).length;
    expect((await api.anonymous().send("POST", link, trickle(bytes, 50_000), headers)).status).toBe(201);
    expect((await api.anonymous().send("POST", link, bytes, headers)).status).toBe(410);
    expect(await api.storedFiles()).toHaveLength(before + 3);
  });

  test("a polyglot file is served by its extension and runs no script", async () => {
    const page = "<html><script>alert(document.domain)</script></html>";
    const both = new File([pdfFile(), page], "both.pdf", { type: "text/html" });
    const envelope = await sendEnvelope(owner);
    expect((await api.anonymous().post(linkOf(envelope), form({ Contract: both }))).status).toBe(201);
    const { body } = await owner.get(`/api/requests/${envelope.id}`);
    const { headers } = await owner.get(body.submissions[0].url);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")?.split("; ")).toContain("sandbox");
    const link = linkOf(await sendEnvelope(owner));
    const turned = new File([page, pdfFile()], "both.pdf", { type: "application/pdf" });
    expect((await api.anonymous().post(link, form({ Contract: turned }))).status).toBe(415);
  });
});
