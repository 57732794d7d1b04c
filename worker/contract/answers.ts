import * as z from "zod/mini";
import { isRecord } from "./is-record";
import { LIMITS } from "./limits";

/** An answer; null if there is none, or none to be shown. */
export const answerValue = z.nullable(z.union([z.string(), z.array(z.string())]));

/** The answers to questions by the ids of their documents, in their order; `__proto__` is a key like any other. */
export const answersById = (least: number) =>
  z
    .pipe(
      z.transform((value: unknown, context) => {
        if (!isRecord(value)) context.issues.push({ code: "custom", input: value });
        return isRecord(value) ? Object.entries(value) : [];
      }),
      z
        .array(z.tuple([z.string(), z.unknown()]))
        .check(z.minLength(least), z.maxLength(LIMITS.documentsPerEnvelope)),
    )
    .check(z.describe("Values by the ids of the questions; null clears one"));
export type SentAnswers = readonly (readonly [documentId: string, value: unknown])[];

export const answersInput = z.object({ answers: answersById(1) });
