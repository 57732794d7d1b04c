import * as z from "zod/mini";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { LANGUAGES } from "./options";
import { hasForeignMailbox, isEmailAddress, isFilled, isStorable, normalizeAddress } from "./patterns";

/** May be absent or null; `read` says what becomes of any value. */
export const nullishTo = <Schema extends z.ZodMiniType, Value>(
  schema: Schema,
  read: (value: z.output<Schema> | null | undefined, context: z.core.ParsePayload) => Value,
) => z.pipe(z.nullish(schema), z.transform(read));

/** Trimmed text of at most `max` characters; "" if nothing is to be seen in it. */
export const text = (max: number, params?: Parameters<typeof z.string>[0]) =>
  z.string(params).check(
    z.trim(),
    z.maxLength(max, { abort: true }),
    z.refine(isStorable),
    z.overwrite((value) => (isFilled(value) ? value : "")),
  );

/** Optional text: trimmed; absent and blank become null. */
export const optionalText = (max: number) => nullishTo(text(max), (value) => value || null);

/** Text with at least one visible character; otherwise fails with `message`. */
export const requiredText = (max: number, message: string) =>
  text(max, { error: (issue) => (issue.input == null ? message : undefined) }).check(z.minLength(1, message));

/** Text that is stored as typed, including surrounding white space, but must contain something else. */
export const textAsTyped = (max: number, message: string) =>
  z
    .string({ error: (issue) => (issue.input == null ? message : undefined) })
    .check(z.maxLength(max, { abort: true }), z.refine(isStorable), z.refine(isFilled, message));

/** Text that, as `read` reads it, is blank or satisfies a rule of `patterns.ts`. */
export const matchingOrBlank = (
  isValid: (text: string) => boolean,
  max: number,
  message: string,
  read = (text: string) => text.trim(),
) =>
  z.string().check(
    z.overwrite(read),
    z.maxLength(max, { abort: true, error: message }),
    z.refine((value) => value === "" || isValid(value), message),
  );

const address = (isValid: (text: string) => boolean, message: string) =>
  z.string({ error: (issue) => (issue.input == null ? message : undefined) }).check(
    z.overwrite(normalizeAddress),
    z.maxLength(LIMITS.email, { abort: true, error: message }),
    z.refine(isValid, {
      error: ({ input }) => (hasForeignMailbox(String(input)) ? MESSAGES.foreignMailbox : message),
    }),
  );

/** An e-mail address as `normalizeAddress` reads it. */
export const emailAddress = (message: string) => address(isEmailAddress, message);

/** Like `emailAddress`; absent and blank become null. */
export const optionalEmail = nullishTo(
  address((text) => text === "" || isEmailAddress(text), MESSAGES.invalidEmail),
  (value) => value || null,
);

/** An address to which the server sends. */
export const outgoingUrl = z
  .string({ error: (issue) => (issue.input == null ? MESSAGES.webhookUrlRequired : undefined) })
  .check(
    z.trim(),
    z.minLength(1, { abort: true, error: MESSAGES.webhookUrlRequired }),
    z.maxLength(LIMITS.webhookUrl, { abort: true, error: MESSAGES.invalidWebhookUrl }),
    z.refine((url) => URL.canParse(url), MESSAGES.invalidWebhookUrl),
  );

/** A language; absent and blank become null. */
export const optionalLanguage = nullishTo(z.enum(["", ...LANGUAGES]), (value) => value || null);

export const rowId = z.int().check(z.positive());

/** Of an entry that several people change: the `updatedAt` that was read. */
export const readVersion = z
  .nullish(z.string().check(z.maxLength(LIMITS.timestamp)))
  .check(
    z.describe(
      "The `updatedAt` that was read: if the entry has changed since, the response is 409 `changed_meanwhile`",
    ),
  );

/** The id of a row in a query string. */
export const queriedId = z.pipe(z.coerce.number(), rowId);

/** `?limit=` and `?cursor=` (the id of the previous page's last row). */
export const paging = () => ({
  limit: z.optional(z.pipe(z.coerce.number(), z.int().check(z.positive(), z.maximum(LIMITS.pageMax)))),
  cursor: z.optional(queriedId),
});

/** A page of a list; `?workspaceId=` restricts it to one workspace. */
export const listQuery = z.object({ workspaceId: z.optional(queriedId), ...paging() });

/** The named schemas of the OpenAPI document. Tests validate every response against them. */
export const RESPONSES = z.registry<{ id: string }>();

/** What responses contain, by the name that it has in the document. */
export const entity = <Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) =>
  z.object(shape).register(RESPONSES, { id });

/**
 * What a response has of a row: the fields of its schema and nothing else, null for those that a row lacks which an earlier
 * version has stored.
 */
export const fieldsOf = <Shape extends z.core.$ZodShape>(
  { shape }: z.ZodMiniObject<Shape>,
  row: z.output<z.ZodMiniObject<Shape>>,
): z.output<z.ZodMiniObject<Shape>> => {
  const values: Record<string, unknown> = row;
  return Object.fromEntries(Object.keys(shape).map((name) => [name, values[name] ?? null])) as z.output<
    z.ZodMiniObject<Shape>
  >;
};

/** A schema for each field of an input, so that a response cannot lack one. */
export type SchemasOf<Fields> = { [Name in keyof Fields]: z.ZodMiniType<Fields[Name]> };

/** How a person is named; null for what they have not entered. */
export const personName = {
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  companyName: z.nullable(z.string()),
};

export const id = z.int().check(z.positive());
export const time = z.string().check(z.meta({ format: "date-time" }));
export const day = z.string().check(z.meta({ format: "date" }));
export const bytes = z.int().check(z.nonnegative());
export const count = z.int().check(z.nonnegative());
