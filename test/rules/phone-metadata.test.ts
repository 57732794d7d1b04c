import { expect, test } from "bun:test";
import { file } from "bun";
import { phoneMetadata } from "../support/phone-metadata";

test("phone numbers are read by what the library knows: after an update, run test/support/phone-metadata.ts", async () => {
  expect(await file("worker/contract/phone-metadata.json").json()).toEqual(phoneMetadata());
});
