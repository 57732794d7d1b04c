import { expect, test } from "bun:test";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { jpegFile, pdfFile, pngFile, sha256 } from "../support/files/files";

const keyOf = (avatarUrl: string) => avatarUrl.slice("/uploads/".length);

async function withPicture(api: Api, avatar = pngFile()) {
  const owner = await api.signUp();
  const key = await changePicture(owner, avatar);
  const link = linkOf(await sendEnvelope(owner));
  return { owner, key, link, picture: `${link}/picture` };
}

async function changePicture(owner: SignedUp, avatar: File): Promise<string> {
  const { status, body } = await owner.post("/api/user/avatar", form({ avatar }));
  expect(status).toBe(200);
  return keyOf(body.avatarUrl);
}

describeApi("the requestor's picture", (api) => {
  const hasPicture = async (link: string) => (await api.anonymous().get(link)).body.user.hasPicture;

  test("is served to anyone with the link, without revealing its key", async () => {
    const { owner, key, link, picture } = await withPicture(api);
    const request = await api.anonymous().get(link);
    expect(request.body.user.hasPicture).toBe(true);
    const { status, headers } = await api.anonymous().get(picture);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(pngFile().size),
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
      "x-robots-tag": "noindex",
    });
    expect(headers.getSetCookie()).toEqual([]);
    expect(`${request.text}${JSON.stringify([...headers])}`).not.toContain(key);
    expect(await sha256(await api.anonymous().bytes(picture))).toBe(await sha256(pngFile()));
    const head = await api.anonymous().send("HEAD", picture);
    expect([head.status, head.text, head.headers.get("content-type")]).toEqual([200, "", "image/png"]);
    // Only the owner can download the file itself.
    expect((await api.anonymous().get(`/uploads/${key}`)).status).toBe(404);
    expect((await owner.get(`/uploads/${key}`)).status).toBe(200);
  });

  test("returns 304 until it changes", async () => {
    const { owner, picture } = await withPicture(api);
    const recipient = api.anonymous();
    const etag = (await recipient.get(picture)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"\w+"$/);
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const { status, text, headers } = await recipient.get(picture, { "if-none-match": given });
      expect([status, text, headers.get("etag")]).toEqual([304, "", etag]);
    }
    await changePicture(owner, jpegFile());
    const changed = await recipient.get(picture, { "if-none-match": etag });
    expect([changed.status, changed.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(await sha256(await recipient.bytes(picture))).toBe(await sha256(jpegFile()));
  });

  test("is that of the link's requestor, whoever requests it", async () => {
    const [one, two] = [await withPicture(api), await withPicture(api, jpegFile())];
    const without = await api.signUp();
    for (const client of [one.owner, two.owner, without, api.anonymous()]) {
      expect((await client.get(one.picture)).headers.get("content-type")).toBe("image/png");
      expect((await client.get(two.picture)).headers.get("content-type")).toBe("image/jpeg");
    }
  });

  test("does not exist for an account without one", async () => {
    const owner = await api.signUp();
    const link = linkOf(await sendEnvelope(owner));
    expect(await hasPicture(link)).toBe(false);
    const { status, body } = await api.anonymous().get(`${link}/picture`);
    expect([status, body.code]).toEqual([404, "not_found"]);
  });

  test("does not exist after it was removed, or if its type is not an image", async () => {
    for (const change of ["avatar_url = null", "avatar_mime_type = 'text/html'", "avatar_url = '/other/x'"]) {
      const { owner, link, picture } = await withPicture(api);
      await api.execute(`update users set ${change} where id = ${owner.id}`);
      expect(await hasPicture(link)).toBe(false);
      expect((await api.anonymous().get(picture)).status).toBe(404);
    }
  });

  test("does not exist while its file is missing from the store", async () => {
    const { owner, picture } = await withPicture(api);
    await api.execute(`update users set avatar_url = '/uploads/missing' where id = ${owner.id}`);
    const { status, body } = await api.anonymous().get(picture);
    expect([status, body.code]).toEqual([404, "not_found"]);
  });

  test("ends with the link: drafts, disabled and deleted accounts, submitted and expired envelopes", async () => {
    const recipient = api.anonymous();
    const response = async (path: string) => {
      const { status, body } = await recipient.get(path, { "if-none-match": "*" });
      return [status, body.code];
    };
    expect(await response("/api/submissions/unknown/picture")).toEqual([404, "submission_not_found"]);

    const draft = await withPicture(api);
    const { submissionToken } = await sendEnvelope(draft.owner, { isDraft: true });
    expect(await response(`/api/submissions/${submissionToken}/picture`)).toEqual([
      404,
      "submission_not_found",
    ]);

    const disabled = await withPicture(api);
    const { id } = disabled.owner;
    await api.execute(`update users set disabled_at = '2026-03-14T00:00:00.000Z' where id = ${id}`);
    expect(await response(disabled.picture)).toEqual([404, "submission_not_found"]);
    await api.execute(`update users set disabled_at = null where id = ${id}`);
    expect((await recipient.get(disabled.picture)).status).toBe(200);

    const deleted = await withPicture(api);
    expect((await deleted.owner.delete("/api/user/account")).status).toBe(204);
    expect(await response(deleted.picture)).toEqual([404, "submission_not_found"]);

    const submitted = await withPicture(api);
    expect((await recipient.post(submitted.link, form({ Contract: pdfFile() }))).status).toBe(201);
    expect(await response(submitted.picture)).toEqual([410, "completed"]);

    const expired = await withPicture(api);
    const { submissionToken: old } = await sendEnvelope(expired.owner, { expirationDate: "2026-03-15" });
    await api.setClock("2026-03-17T00:00:00.000Z");
    expect(await response(`/api/submissions/${old}/picture`)).toEqual([410, "expired"]);
  });
});
