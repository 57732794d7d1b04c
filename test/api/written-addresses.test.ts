import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { ENVELOPE } from "../support/api/envelopes";

const ASCII = "info@xn--mller-shne-kcb9d.de";

describeApi("addresses as people write and paste them", (api) => {
  test.each([
    "info@müller-söhne.de",
    "Info@MÜLLER-SÖHNE.DE",
    "info@mu\u0308ller-so\u0308hne.de",
    ASCII,
    "Ann Example <info@müller-söhne.de>",
    "<info@müller-söhne.de>",
    "mailto:info@müller-söhne.de?subject=Hello",
    "\u202ainfo@müller\u00ad-söhne.de\u202c",
    "\ufeff info@mül\u200bler-söhne.de ",
  ])("%p is one and the same", async (written) => {
    const owner = await api.signUp();
    const contact = await owner.post("/api/contacts", { firstName: "Ann", email: written });
    expect(contact.body.email).toBe(ASCII);
    const envelope = await owner.post("/api/requests", { ...ENVELOPE, recipientEmail: written });
    expect(envelope.body.recipientEmail).toBe(ASCII);
    await api.finishBackgroundWork();
    expect((await api.mails()).at(-1)?.to).toBe(ASCII);
  });

  test("an account signs in with either form of its international address", async () => {
    const password = "a long password";
    const register = (email: string) => api.anonymous().post("/api/register", { email, password });
    expect((await register("ada@bücher.example")).status).toBe(201);
    expect((await register("Ada <ADA@xn--bcher-kva.example>")).body.code).toBe("email_taken");
    for (const email of ["ada@BÜCHER.example", "\u200bada@xn--bcher-kva.example"])
      expect((await api.anonymous().post("/api/login", { email, password })).status).toBe(200);
  });

  test("two forms of an address in one list are the same address", async () => {
    const owner = await api.signUp();
    const contacts = [ASCII, "info@müller-söhne.de"].map((email) => ({ firstName: "Ann", email }));
    const { status, body } = await owner.post("/api/contacts/bulk", { contacts, match: "email" });
    expect([status, body.issues?.[0]?.path]).toEqual([400, "contacts.1.email"]);
  });

  test.each([
    "a@exa mple.com",
    "a@b/c.de",
    "a@müller.de:80",
    "a@mü_ller.de",
    "a@ü..de",
    "<a@b.de",
    "a@b.de, c@d.de",
  ])("%p is no address", async (recipientEmail) => {
    const owner = await api.signUp();
    const { body } = await owner.post("/api/requests", { ...ENVELOPE, recipientEmail });
    expect(body.issues).toEqual([{ path: "recipientEmail", message: "Invalid email" }]);
  });

  test("phone numbers are stored without what is invisible and with ASCII digits", async () => {
    const owner = await api.signUp();
    const sent = { ...ENVELOPE, recipientPhone: "\u202a٠١٧٠ ١٢٣٤٥٦٧\u202c", countryCode: "+49" };
    expect((await owner.post("/api/requests", sent)).body.recipientPhone).toBe("+491701234567");
    const doubled = { ...ENVELOPE, recipientPhone: "491701234567", countryCode: "+49" };
    expect((await owner.post("/api/requests", doubled)).body.recipientPhone).toBe("+491701234567");
    const unclear = { ...ENVELOPE, recipientPhone: "49212345678", countryCode: "+49" };
    expect((await owner.post("/api/requests", unclear)).status).toBe(400);
    const profile = await owner.patch("/api/user/profile", { phoneNumber: "\u200e+４９1701234567" });
    expect(profile.body.phoneNumber).toBe("+491701234567");
    const contact = await owner.post("/api/contacts", {
      firstName: "Ann",
      phone: "\u200b+49 170 1\u2060234567",
    });
    expect(contact.body.phone).toBe("+49 170 1234567");
  });
});
