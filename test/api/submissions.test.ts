import { expect, test } from "bun:test";
import { describeApi, type SignedUp } from "../support/api";
import { docxFile, jpegFile, pdfFile, sha256 } from "../support/files";

const DOCUMENTS = [
  { name: "Contract", required: true },
  { name: "Letter", required: true },
  { name: "Photo", allowedFileTypes: ["JPG", "jpeg"] },
];

async function sendEnvelope(owner: SignedUp, documents: object[] = DOCUMENTS) {
  const { status, body } = await owner.post("/api/requests", {
    recipientName: "Rita Recipient",
    recipientEmail: "rita@example.com",
    subject: "Papers",
    documents,
  });
  expect(status).toBe(201);
  return body;
}

function form(files: Record<string, File>): FormData {
  const data = new FormData();
  for (const [name, file] of Object.entries(files)) data.append(name, file);
  return data;
}

describeApi("submissions", (api) => {
  test("the recipient's files reach the requestor byte for byte", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner);
    const files = { Contract: pdfFile(), Letter: docxFile(), Photo: jpegFile() };
    const link = `/api/submissions/${envelope.submissionToken}`;
    expect((await api.anonymous().get(link)).body).toMatchObject({
      status: "pending",
      user: { email: owner.email },
    });
    expect((await api.anonymous().post(link, form(files))).status).toBe(201);

    const { body } = await owner.get(`/api/requests/${envelope.id}`);
    expect(body).toMatchObject({ status: "completed", completedAt: expect.any(String) });
    for (const submission of body.submissions) {
      const sent = Object.entries(files).find(([name]) => name === submission.documentName)?.[1];
      if (!sent) throw new Error("Unknown document");
      expect(submission).toMatchObject({ fileName: sent.name, fileSize: sent.size, mimeType: sent.type });
      expect(await sha256(await owner.bytes(submission.url))).toBe(await sha256(sent));
    }
    const again = await api.anonymous().get(link);
    expect([again.status, again.body.code]).toEqual([410, "completed"]);
  });

  test("of two submissions at once exactly one wins", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, [{ name: "Contract" }]);
    const before = (await api.storedFiles()).length;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) =>
        api
          .anonymous()
          .post(`/api/submissions/${envelope.submissionToken}`, form({ Contract: pdfFile(`${place}.pdf`) })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(410)]);
    expect((await api.storedFiles()).length).toBe(before + 1);
    expect((await owner.get(`/api/requests/${envelope.id}`)).body.submissions).toHaveLength(1);
  });
});
