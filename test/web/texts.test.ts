import { describe, expect, test } from "bun:test";
import errors from "../../locales/en/errors.json";
import validation from "../../locales/en/validation.json";
import { ERRORS } from "../../worker/contract/errors";
import { MESSAGES } from "../../worker/contract/messages";
import { PRODUCT_NAME } from "../../worker/contract/product";

/** What the interface has words for although the server never says it. */
const OWN_ERRORS = ["network", "unknown"];
const OWN_SENTENCES = ["tooLong", "recipientEmailRequired"];

describe("English texts", () => {
  test("every error code has the server's own words", () => {
    const fromServer = Object.fromEntries(
      Object.entries(ERRORS).map(([code, { message }]) => [code, message]),
    );
    const { ...said }: Record<string, string> = errors;
    for (const own of OWN_ERRORS) delete said[own];
    expect(said).toEqual(fromServer);
  });

  test("every validation sentence is the specification's", () => {
    const { ...said }: Record<string, string> = validation;
    for (const own of OWN_SENTENCES) delete said[own];
    const named = Object.fromEntries(
      Object.entries(said).map(([key, text]) => [key, text.replaceAll("{{product}}", PRODUCT_NAME)]),
    );
    expect(named).toEqual({ ...MESSAGES });
  });
});
