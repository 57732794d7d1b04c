import { describe, expect, test } from "bun:test";
import errors from "../../locales/en/errors.json";
import validation from "../../locales/en/validation.json";
import { ERRORS } from "../../worker/contract/errors";
import { MESSAGES } from "../../worker/contract/messages";
import { PRODUCT_NAME } from "../../worker/contract/product";

/** Messages of the browser's schemas only. */
const OWN_SENTENCES = [
  "codeRequired",
  "tooLong",
  "recipientEmailRequired",
  "noEmail",
  "phoneUnused",
  "unknownLanguage",
  "unsupportedCharacters",
];

describe("English texts", () => {
  test("every error code has a text with the server's placeholders", () => {
    const slots = (text: string) => text.match(/\{\{\w+\}\}/g) ?? [];
    const shape = (texts: [string, string][]) =>
      Object.fromEntries(texts.map(([code, text]) => [code, slots(text)]));
    const fromServer = Object.entries(ERRORS).map(([code, { message }]): [string, string] => [code, message]);
    expect(shape(Object.entries(errors))).toEqual(shape(fromServer));
  });

  test("every validation message is the specification's", () => {
    const { ...said }: Record<string, string> = validation;
    for (const own of OWN_SENTENCES) delete said[own];
    const named = Object.fromEntries(
      Object.entries(said).map(([key, text]) => [key, text.replaceAll("{{product}}", PRODUCT_NAME)]),
    );
    expect(named).toEqual({ ...MESSAGES });
  });
});
