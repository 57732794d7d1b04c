import { expect, test } from "bun:test";
import { createSecretBox } from "../../worker/adapters/shared/secret-box";
import { SecretKeyMissingError } from "../../worker/ports/crypto";

const OLD = "the-key-of-before-with-32-characters";
const NEW = "the-key-of-today-with-32-characters!";
const boxWith = (...keys: string[]) => createSecretBox(async () => keys);

test("what is sealed opens with its key and context, is different each time, and does not contain the text", async () => {
  const box = boxWith(OLD);
  const [one, other] = [
    await box.seal("JBSWY3DPEHPK3PXP", "totp:1"),
    await box.seal("JBSWY3DPEHPK3PXP", "totp:1"),
  ];
  expect(one).not.toBe(other);
  expect(one).toMatch(/^v1\.[\da-f]{8}\.[\w-]+$/);
  expect(await boxWith(OLD).open(one, "totp:1")).toBe("JBSWY3DPEHPK3PXP");
  expect(await box.open(await box.seal("", ""), "")).toBe("");
  expect(await box.open(await box.seal("Schlüssel 🔑", "x"), "x")).toBe("Schlüssel 🔑");
});

test("another context, a changed character or text that is not sealed does not open", async () => {
  const box = boxWith(OLD);
  const sealed = await box.seal("secret", "totp:1");
  await expect(box.open(sealed, "totp:2")).rejects.toThrow();
  const changed =
    sealed.slice(0, -3) + (sealed.endsWith("A", sealed.length - 2) ? "B" : "A") + sealed.slice(-2);
  await expect(box.open(changed, "totp:1")).rejects.toThrow();
  await expect(box.open("secret", "totp:1")).rejects.toThrow("not sealed");
});

test("without a key, or without the one that sealed, the error is that of a missing key", async () => {
  await expect(boxWith().seal("secret", "")).rejects.toBeInstanceOf(SecretKeyMissingError);
  const sealed = await boxWith(OLD).seal("secret", "");
  await expect(boxWith().open(sealed, "")).rejects.toBeInstanceOf(SecretKeyMissingError);
  await expect(boxWith(NEW).open(sealed, "")).rejects.toBeInstanceOf(SecretKeyMissingError);
});

test("the first key seals, an older one still opens, and a running box notices a new key", async () => {
  const keys = [OLD];
  const box = createSecretBox(async () => keys);
  const before = await box.seal("secret", "");
  expect(await box.isCurrent(before)).toBe(true);
  keys.unshift(NEW);
  const after = await box.seal("secret", "");
  expect([await box.isCurrent(before), await box.isCurrent(after)]).toEqual([false, true]);
  expect([await box.open(before, ""), await box.open(after, "")]).toEqual(["secret", "secret"]);
  const elsewhere = createSecretBox(async () => keys);
  expect(await elsewhere.open(before, "")).toBe("secret");
});
