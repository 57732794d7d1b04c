import { expect, test } from "bun:test";
import { file } from "bun";
import { phoneFormats, phoneMetadata } from "../support/phone-metadata";

test("phone numbers are read by what the library knows: after an update, run test/support/phone-metadata.ts", async () => {
  expect(await file("worker/contract/phone-metadata.json").json()).toEqual(phoneMetadata());
  expect(await file("web/lib/phone-formats.json").json()).toEqual(phoneFormats());
});
