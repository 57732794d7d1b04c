import type first from "../../../../locales/en/submit.json";
import type steps from "../../../../locales/en/submit-steps.json";
import { fillText, lookUp, type TextValues } from "../../../lib/texts";

/** The texts of the first step and of the pages without a wizard, and those that are loaded with the later steps. */
export type FirstTexts = typeof first;
export type StepTexts = typeof steps;
export type Texts = FirstTexts & StepTexts;
type DottedPath<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${DottedPath<Tree[Key]>}`;
}[keyof Tree & string];
export type TextKey = DottedPath<Texts>;

/** The text at a dotted key, with its placeholders filled. */
export const translate = (texts: FirstTexts, key: TextKey, values?: TextValues): string =>
  fillText(lookUp(texts, key) ?? key, values);
