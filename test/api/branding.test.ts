import { expect, test } from "bun:test";
import { VISIBLE } from "../../web/features/workspaces/settings/logo-readability";
import { contrast, luminanceOf } from "../../worker/contract/brand-colors";
import { describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { jpegFile, pdfFile, pngFile, pngOfSize, sha256 } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

const MAX = 1_048_576;
const BRAND = { brandName: "Lovelace Tax", brandColor: "#ffd400", brandFooter: "Lovelace Ltd\nLondon" };

const workspaceOf = (owner: SignedUp) => `/api/workspaces/${owner.workspaceId}`;

describeApi("the brand of a workspace", (api) => {
  test("is set, cleared and checked", async () => {
    const owner = await api.signUp();
    const path = workspaceOf(owner);
    expect((await owner.get("/api/workspaces")).body[0]).toMatchObject({
      ...{ brandName: null, brandColor: null, brandFooter: null, logo: null },
    });
    const changed = await owner.patch(path, { ...BRAND, brandColor: "#FFD400" });
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(BRAND)]);
    expect((await owner.patch(path, { brandName: null })).body).toMatchObject({ ...BRAND, brandName: null });
    const invalid = {
      brandName: ["", " ", "x".repeat(101), 7],
      brandColor: ["red", "#fff", "#12345g", "", "#1234567"],
      brandFooter: ["x".repeat(501), 7],
    };
    for (const [field, values] of Object.entries(invalid))
      for (const value of values) {
        const { status, body } = await owner.patch(path, { [field]: value });
        expect([field, value, status, body.issues?.[0].path]).toEqual([field, value, 400, field]);
      }
    expect((await owner.patch(path, { brandName: "x".repeat(100) })).status).toBe(200);
  });

  test("is changed by owners only, and seen by members", async () => {
    const owner = await api.signUp();
    const path = `${workspaceOf(owner)}/logo`;
    await owner.post(path, form({ logo: pngFile() }));
    for (const role of ["member", "viewer"] as const) {
      const member = await joinAs(api, owner, role);
      expect((await member.patch(workspaceOf(owner), BRAND)).status).toBe(403);
      const posted = await member.post(path, form({ logo: pngFile() }));
      expect([posted.status, posted.body.code]).toEqual([403, "role_required"]);
      expect((await member.delete(path)).status).toBe(403);
      expect((await member.get(path)).status).toBe(200);
    }
    const stranger = await api.signUp();
    for (const response of [
      await stranger.post(path, form({ logo: pngFile() })),
      await stranger.delete(path),
      await stranger.get(path),
    ])
      expect(response.status).toBe(404);
  });

  test("of two owners who change it at once, each change is stored whole", async () => {
    const owner = await api.signUp();
    const other = await joinAs(api, owner, "owner");
    const path = workspaceOf(owner);
    const brandOf = async () => {
      const workspaces: { id: number }[] = (await other.get("/api/workspaces")).body;
      return workspaces.find(({ id }) => id === owner.workspaceId);
    };
    const parts = await Promise.all([
      owner.patch(path, { brandName: "One", brandColor: "#111111" }),
      other.patch(path, { brandFooter: "Two" }),
      other.post(`${path}/logo`, form({ logo: pngFile() })),
    ]);
    expect(parts.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await brandOf()).toMatchObject({
      ...{ brandName: "One", brandColor: "#111111", brandFooter: "Two" },
      logo: { width: expect.any(Number) },
    });
    const brands = ["a", "b"].map((sign) => ({
      ...{ brandName: sign, brandColor: `#${sign.repeat(6)}`, brandFooter: sign },
    }));
    await Promise.all([owner.patch(path, brands[0]), other.patch(path, brands[1])]);
    const stored = await brandOf();
    expect(brands.some((brand) => Bun.deepMatch(brand, stored ?? {}))).toBe(true);
  });

  test("what a brand says is text in mails, and never a header", async () => {
    const owner = await api.signUp();
    const attack = 'Eve <b>x</b>"\r\nBcc: eve@example.com';
    const changed = await owner.patch(workspaceOf(owner), {
      brandName: attack,
      brandFooter: `<img src=x>\r\n${attack}`,
    });
    expect([200, 400]).toContain(changed.status);
    await sendEnvelope(owner, { recipientEmail: "headers@example.com" });
    await api.finishBackgroundWork();
    const mail = (await api.mails()).findLast(({ to }) => to === "headers@example.com");
    expect(mail?.from).not.toMatch(/[\r\n]/);
    expect(mail?.subject).not.toMatch(/[\r\n]/);
    for (const raw of ["<b>x</b>", "<img src=x>"]) expect(mail?.html).not.toContain(raw);
  });

  test("its logo is read from the link, with headers that let nothing execute", async () => {
    const owner = await api.signUp();
    const logo = await pngOfSize(640, 160);
    const posted = await owner.post(`${workspaceOf(owner)}/logo`, form({ logo }));
    expect([posted.status, posted.body.logo]).toEqual([200, { width: 640, height: 160 }]);
    const envelope = await sendEnvelope(owner);
    const link = api.anonymous();
    const { brand } = (await link.get(linkOf(envelope))).body;
    const url = `${linkOf(envelope)}/logo`;
    const measured = { readableOn: null, hasName: false };
    expect(brand).toEqual({
      ...{ name: null, color: null, footer: null },
      logo: { url, width: 640, height: 160, ...measured },
    });
    const served = await link.get(url);
    expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(served.headers.get("x-content-type-options")).toBe("nosniff");
    expect(served.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(served.headers.get("cache-control")).toBe("private, no-cache");
    expect(await sha256(await link.bytes(url))).toBe(await sha256(logo));
    const etag = served.headers.get("etag") ?? "";
    expect((await link.send("GET", url, undefined, { "if-none-match": etag })).status).toBe(304);
    expect((await link.get("/api/submissions/unknown/logo")).status).toBe(404);
    const draft = (await owner.post("/api/requests", { isDraft: true })).body;
    expect((await link.get(`${linkOf(draft)}/logo`)).status).toBe(404);
    expect((await owner.delete(`${workspaceOf(owner)}/logo`)).status).toBe(204);
    expect((await link.get(url)).status).toBe(404);
    expect((await link.get(linkOf(envelope))).body.brand).toBeNull();
  });

  test("stays on the pages after the submission and after the last day", async () => {
    const owner = await api.signUp();
    await owner.patch(workspaceOf(owner), BRAND);
    await owner.post(`${workspaceOf(owner)}/logo`, form({ logo: jpegFile() }));
    const envelope = await sendEnvelope(owner);
    const link = api.anonymous();
    const { brand } = (await link.get(linkOf(envelope))).body;
    expect(brand).toMatchObject({ name: BRAND.brandName, color: "#ffd400", footer: BRAND.brandFooter });
    await link.post(linkOf(envelope), form({ Contract: pdfFile() }));
    const gone = await link.get(linkOf(envelope));
    expect([gone.status, gone.body.brand]).toEqual([410, brand]);
    expect((await link.get(brand.logo.url)).status).toBe(200);
    const expiring = await sendEnvelope(owner, { expirationDate: TEST_START.slice(0, 10) });
    await api.setClock("2026-03-20T00:00:00.000Z");
    const expired = await link.get(linkOf(expiring));
    const url = `${linkOf(expiring)}/logo`;
    expect([expired.status, expired.body.code]).toEqual([410, "expired"]);
    expect(expired.body.brand).toEqual({ ...brand, logo: { ...brand.logo, url } });
    expect((await link.get(url)).status).toBe(200);
    await api.setClock(TEST_START);
  });

  test("a logo is PNG, JPEG or WebP by content, small, and of at most 4,000 pixels a side", async () => {
    const owner = await api.signUp();
    const path = `${workspaceOf(owner)}/logo`;
    const previous = await owner.post(path, form({ logo: pngFile() }));
    await api.finishBackgroundWork();
    const before = await api.storedFiles();
    const html = new File(["<!doctype html><script>alert(1)</script>"], "logo.png", { type: "image/png" });
    const svg = new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], "logo.png", { type: "image/png" });
    const png = await pngFile().bytes();
    const large = new File([png, new Uint8Array(MAX + 1 - png.length)], "logo.png");
    const headless = new File([png.slice(0, 12), new Uint8Array(200)], "logo.png");
    const rejections = [
      [form({ logo: html }), 415, "logo_type_not_allowed"],
      [form({ logo: svg }), 415, "logo_type_not_allowed"],
      [form({ logo: pdfFile("a.png") }), 415, "logo_type_not_allowed"],
      [form({ logo: headless }), 415, "logo_type_not_allowed"],
      [form({ logo: large }), 413, "logo_too_large"],
      [form({ logo: await pngOfSize(20_000, 20_000) }), 413, "logo_too_many_pixels"],
      [form({ logo: await pngOfSize(1, 4001) }), 413, "logo_too_many_pixels"],
      [form({ logo: new File([], "logo.png") }), 400, "logo_missing"],
      [form({ picture: pngFile() }), 400, "logo_missing"],
      [new FormData(), 400, "logo_missing"],
      [{ logo: "x" }, 415, "multipart_required"],
    ] as const;
    for (const [body, status, code] of rejections) {
      const response = await owner.post(path, body);
      expect([response.status, response.body.code]).toEqual([status, code]);
    }
    expect(await api.storedFiles()).toEqual(before);
    expect((await owner.get("/api/workspaces")).body[0].logo).toEqual(previous.body.logo);
    const largest = new File([png, new Uint8Array(MAX - png.length)], "logo.png");
    expect((await owner.post(path, form({ logo: largest }))).status).toBe(200);
    expect((await owner.post(path, form({ logo: await pngOfSize(4000, 4000) }))).status).toBe(200);
  });

  test("two logos at once, a new one and a deleted workspace leave no file behind", async () => {
    const owner = await api.signUp();
    const before = await api.storedFiles();
    const path = `${workspaceOf(owner)}/logo`;
    const responses = await Promise.all(
      [pngFile(), jpegFile(), pngFile(), jpegFile()].map((logo) => owner.post(path, form({ logo }))),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await api.finishBackgroundWork();
    const added = async () => (await api.storedFiles()).filter((name) => !before.includes(name));
    expect(await added()).toHaveLength(1);
    await owner.post("/api/workspaces", { name: "Other" });
    expect((await owner.delete(workspaceOf(owner))).status).toBe(204);
    await api.finishBackgroundWork();
    expect(await added()).toEqual([]);
  });

  test("its logo goes with the account", async () => {
    const owner = await api.signUp();
    const before = await api.storedFiles();
    await owner.post(`${workspaceOf(owner)}/logo`, form({ logo: pngFile() }));
    expect((await owner.delete("/api/user/account")).status).toBe(204);
    await api.finishBackgroundWork();
    expect(await api.storedFiles()).toEqual(before);
  });

  test("is that of the mails to recipients, while account mails stay the product's", async () => {
    const owner = await api.signUp();
    await owner.patch(workspaceOf(owner), BRAND);
    await owner.post(`${workspaceOf(owner)}/logo`, form({ logo: await pngOfSize(800, 200) }));
    const envelope = await sendEnvelope(owner, { recipientEmail: "brand@example.com" });
    await api.finishBackgroundWork();
    const invitation = (await api.mails()).findLast(({ to }) => to === "brand@example.com");
    expect(invitation?.from).toContain("via Lovelace Tax");
    expect(invitation?.images).toEqual([
      expect.objectContaining({ contentId: "logo", mimeType: "image/png", fileName: "logo.png" }),
    ]);
    expect(invitation?.html).toContain('<img src="cid:logo" width="160" height="40"');
    // Its tile stays light in the dark mode of a mail client, which only changes what has a class.
    const tile = /<td ([^>]*)><img src="cid:logo"/.exec(invitation?.html ?? "")?.[1];
    expect(tile).toContain('bgcolor="#d4d0c6" style="padding:8px 10px;background:#d4d0c6');
    expect(tile).not.toContain("class=");
    expect(invitation?.html).toContain("Lovelace Ltd<br>London");
    expect(invitation?.html).toContain('bgcolor="#a48805"');
    expect(invitation?.text).toContain("-- \nLovelace Tax\nLovelace Ltd\nLondon");
    for (const text of [invitation?.text, invitation?.html]) expect(text).not.toContain("Doculopes");
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    await api.finishBackgroundWork();
    const mails = await api.mails();
    expect(mails.findLast(({ to }) => to === "brand@example.com")?.text).toContain("-- \nLovelace Tax");
    expect(mails.findLast(({ to }) => to === owner.email)?.text).toContain("-- \nDoculopes");
    const preview = await owner.post("/api/requests/preview", { recipientName: "R", isDraft: true });
    expect(preview.body.email.text).toContain("-- \nLovelace Tax");
    const tried = await owner.post(
      "/api/requests/preview?brandName=Tried&brandColor=%23FFffff&brandFooter=",
      {
        ...{ recipientName: "R", recipientEmail: "r@example.com", isDraft: true },
      },
    );
    expect(tried.body.email.text).toContain("-- \nTried\nYou are receiving");
    expect(tried.body.email.html).not.toContain("#a48805");
    expect((await owner.get("/api/workspaces")).body[0]).toMatchObject(BRAND);
    expect((await owner.post("/api/requests/preview?brandColor=red", { isDraft: true })).status).toBe(400);
  });

  test("a logo that is readable has no plate, one with the name has it as its text, and a new one is not measured", async () => {
    const owner = await api.signUp();
    const path = workspaceOf(owner);
    await owner.patch(path, BRAND);
    await owner.post(`${path}/logo`, form({ logo: pngFile() }));
    const measured = { logoReadableOn: "light", logoHasName: true };
    expect((await owner.patch(path, measured)).body).toMatchObject(measured);
    for (const invalid of [{ logoReadableOn: "paper" }, { logoHasName: "yes" }])
      expect((await owner.patch(path, invalid)).status).toBe(400);
    const headOf = async (recipientEmail: string) => {
      const envelope = await sendEnvelope(owner, { recipientEmail });
      await api.finishBackgroundWork();
      const mail = (await api.mails()).findLast(({ to }) => to === recipientEmail);
      const { brand } = (await api.anonymous().get(linkOf(envelope))).body;
      return { brand, html: /<td [^>]*><img src="cid:logo".*?<\/table>/.exec(mail?.html ?? "")?.[0] ?? "" };
    };
    const bare = await headOf("bare@example.com");
    expect(bare.brand.logo).toMatchObject({ readableOn: "light", hasName: true });
    expect(bare.html).toStartWith('<td class="plate" style="padding:0;border-radius:8px"><img');
    expect(bare.html).toContain('alt="Lovelace Tax"');
    expect(bare.html).not.toContain(">Lovelace Tax<");
    const replaced = await owner.post(`${path}/logo`, form({ logo: jpegFile() }));
    expect(replaced.body).toMatchObject({ logoReadableOn: null, logoHasName: true });
    const plate = /^<td bgcolor="#(\w\w)(\w\w)(\w\w)"/.exec((await headOf("plate@example.com")).html) ?? [];
    const ground = luminanceOf(
      plate.slice(1).map((byte) => Number.parseInt(byte, 16)) as [number, number, number],
    );
    // A white logo and a black one are visible on it, so that no second logo is needed for either theme.
    for (const logo of [0, 1]) expect(contrast(ground, logo)).toBeGreaterThan(VISIBLE);
  });
});
