import { expect, test } from "bun:test";
import type * as z from "zod/mini";
import type { accountSettings } from "../../worker/contract/users";
import { describeApi } from "../support/api/client";

/** A value of each setting that is not its default. */
const SETTINGS: { [Name in keyof typeof accountSettings]: z.output<(typeof accountSettings)[Name]> } = {
  themePreference: "dark",
  languagePreference: "pt",
  submissionMails: "daily",
  digestHour: 17,
};

describeApi("the profile", (api) => {
  test("a change affects only the given fields, null and blank clear, and the user can be sent back unchanged", async () => {
    const alice = await api.signUp();
    const names = { firstName: " Ada ", lastName: "Lovelace", companyName: "Engines", username: "ada" };
    const first = await alice.patch("/api/user/profile", { ...names, phoneNumber: "+15551234567" });
    expect(first).toMatchObject({
      status: 200,
      body: { ...names, firstName: "Ada", phoneNumber: "+15551234567", email: alice.email },
    });
    const chosen = await alice.patch("/api/user/profile", SETTINGS);
    expect(chosen.body).toEqual({ ...first.body, ...SETTINGS });
    const cleared = await alice.patch("/api/user/profile", {
      lastName: null,
      companyName: " ",
      phoneNumber: "",
    });
    expect(cleared.body).toEqual({ ...chosen.body, lastName: null, companyName: null, phoneNumber: null });
    expect((await alice.patch("/api/user/profile", cleared.body)).body).toEqual(cleared.body);
    const nulls = Object.fromEntries(["email", ...Object.keys(SETTINGS)].map((name) => [name, null]));
    expect((await alice.patch("/api/user/profile", nulls)).body).toEqual(cleared.body);
    expect((await alice.patch("/api/user/profile", {})).body).toEqual(cleared.body);
    expect((await alice.get("/api/user")).body).toEqual(cleared.body);
  });

  test("phone numbers of 2 to 15 digits are accepted, with or without a plus", async () => {
    const alice = await api.signUp();
    for (const phoneNumber of ["12", "+12", "+123456789012345", "123456789012345"])
      expect((await alice.patch("/api/user/profile", { phoneNumber })).body).toMatchObject({ phoneNumber });
  });

  test("another account's address is rejected, and then nothing is changed", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const taken = await alice.patch("/api/user/profile", {
      email: bob.email.toUpperCase(),
      firstName: "Eve",
    });
    expect([taken.status, taken.body]).toEqual([
      409,
      { message: "An account with this email already exists", code: "email_taken" },
    ]);
    expect((await alice.get("/api/user")).body).toMatchObject({ email: alice.email, firstName: null });
  });

  test("onboarding is marked complete, with or without the answers", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const plain = await alice.send("POST", "/api/user/complete-onboarding");
    const defaults = { usageType: "personal", documentType: "contracts" };
    expect(plain).toMatchObject({ status: 200, body: { onboardingCompleted: true, ...defaults } });
    const responses = { usageType: "business", documentType: "tax_documents" };
    const answered = await bob.post("/api/user/complete-onboarding", responses);
    expect(answered).toMatchObject({ status: 200, body: { onboardingCompleted: true, ...responses } });
    expect((await bob.post("/api/user/complete-onboarding", {})).body).toEqual(answered.body);
    const empty = await bob.send("POST", "/api/user/complete-onboarding", "", {
      "content-type": "application/json",
    });
    expect(empty.body).toEqual(answered.body);
    expect((await bob.post("/api/user/complete-onboarding", answered.body)).body).toEqual(answered.body);
    const wrong = await bob.send("POST", "/api/user/complete-onboarding", "usageType=personal", {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect([wrong.status, wrong.body.code]).toEqual([415, "json_required"]);
  });

  test("changing the password requires the current one and returns the user", async () => {
    const alice = await api.signUp();
    const change = {
      currentPassword: alice.password,
      newPassword: "x".repeat(200),
      confirmPassword: "x".repeat(200),
    };
    const changed = await alice.post("/api/user/change-password", change);
    expect([changed.status, changed.body]).toEqual([200, (await alice.get("/api/user")).body]);
    expect((await alice.post("/api/user/change-password", change)).body.code).toBe("wrong_password");
  });
});
