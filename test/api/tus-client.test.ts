import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Server, serve } from "bun";
import { Upload, type UploadOptions } from "tus-js-client";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { linkOf, sendEnvelope } from "../support/api/envelopes";
import { createTus } from "../support/api/tus";
import { jpegFile, largePdfFile, pdfFile, sha256 } from "../support/files/files";

const MIB = 1024 * 1024;

describeApi("tus-js-client", { maxFileMb: 10 }, (api) => {
  let owner: SignedUp;
  /** The app at a real address, because the client uses the network. */
  let gateway: Server<undefined>;
  beforeAll(async () => {
    owner = await api.signUp();
    gateway = serve({
      port: 0,
      hostname: "127.0.0.1",
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch(request) {
        const { pathname } = new URL(request.url);
        return api.fetch(new Request(api.origin + pathname, request));
      },
    });
  });
  afterAll(() => gateway.stop(true));

  type Target = { envelope: ApiResponse["body"]; document: string };

  async function upload({ envelope, document }: Target, file: File, options: UploadOptions = {}) {
    const { id } = envelope.documents.find(({ name }: { name: string }) => name === document);
    const bytes = Buffer.from(await file.arrayBuffer());
    return new Promise<Upload>((resolve, reject) => {
      const client = new Upload(bytes, {
        endpoint: `${gateway.url.origin}${linkOf(envelope)}/uploads`,
        metadata: { document: String(id), filename: file.name },
        uploadSize: file.size,
        retryDelays: null,
        storeFingerprintForResuming: false,
        onError: reject,
        onSuccess: () => resolve(client),
        ...options,
      });
      client.start();
    });
  }
  const send = (documents: object[]) => sendEnvelope(owner, { documents });

  test("uploads in chunks of every size, stops, resumes on another device, and submits", async () => {
    const envelope = await send([
      { name: "Contract", required: true },
      { name: "Photos", allowedFileTypes: ["jpg"], multiple: true },
      { name: "Letter" },
    ]);
    const contract = largePdfFile(5 * MIB, "contract.pdf");
    let uploadUrl = "";
    await new Promise<void>((stopped, failed) => {
      const options: UploadOptions = {
        chunkSize: MIB,
        async onChunkComplete(_size, accepted) {
          if (accepted < 2 * MIB || !client) return;
          uploadUrl = client.url ?? "";
          await client.abort();
          stopped();
        },
        onError: failed,
      };
      let client: Upload | undefined;
      const { id } = envelope.documents[0];
      void contract.arrayBuffer().then((bytes) => {
        client = new Upload(Buffer.from(bytes), {
          endpoint: `${gateway.url.origin}${linkOf(envelope)}/uploads`,
          metadata: { document: String(id), filename: contract.name },
          uploadSize: contract.size,
          retryDelays: null,
          storeFingerprintForResuming: false,
          ...options,
        });
        client.start();
      });
    });
    const tus = createTus(api, envelope);
    const [half] = (await tus.document(envelope.documents[0].id)).files;
    expect(half.uploadedBytes).toBeGreaterThanOrEqual(2 * MIB);
    expect(half.uploadedBytes).toBeLessThan(contract.size);
    expect(uploadUrl.endsWith(half.id)).toBe(true);
    await upload({ envelope, document: "Contract" }, contract, { uploadUrl, chunkSize: 700_001 });

    const photos = [jpegFile("1.jpg"), jpegFile("2.jpg")];
    for (const photo of photos)
      await upload({ envelope, document: "Photos" }, photo, { uploadDataDuringCreation: true });
    const letter = await upload({ envelope, document: "Letter" }, pdfFile("letter.pdf"));
    await letter.abort(true);

    const response = await tus.submit({ note: "Done" });
    const sent = [contract, ...photos];
    expect(response.body.submissions).toMatchObject(
      await Promise.all(
        sent.map(async (file) => ({
          fileName: file.name,
          fileSize: file.size,
          sha256: await sha256(file),
        })),
      ),
    );
    const { body } = await owner.get(`/api/requests/${envelope.id}`);
    for (const [index, file] of body.submissions.entries())
      expect(await sha256(await owner.bytes(file.url))).toBe(await sha256(sent[index] as File));
  }, 240_000);

  test("gets the reason why a file is rejected", async () => {
    const envelope = await send([{ name: "Contract" }]);
    const wrong = new File([new Uint8Array(5000).fill(65)], "contract.pdf");
    const rejection: unknown = await upload({ envelope, document: "Contract" }, wrong).catch(
      (error) => error,
    );
    expect(String(rejection)).toContain("file_content_mismatch");
    await upload({ envelope, document: "Contract" }, pdfFile(), { overridePatchMethod: true });
    expect((await createTus(api, envelope).submit()).status).toBe(201);
  });
});
