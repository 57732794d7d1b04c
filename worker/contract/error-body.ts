import * as z from "zod/mini";
import { brandResponse } from "./brand";
import { bytes, entity, id, time } from "./fields";
import { CONFIRMATION_METHODS, LANGUAGES } from "./options";

/** One invalid input field; `path` is dotted, such as `documents.0.name`. */
const issue = z.object({ path: z.string(), message: z.string() });
export type Issue = z.output<typeof issue>;

/** Values for the `{{name}}` placeholders, so that clients can translate the message. */
export type ErrorParams = Record<string, string | number>;

/** Workspaces that need another owner first. */
const ownedWorkspaces = z.array(z.object({ id, name: z.string() }));
export type OwnedWorkspaces = z.output<typeof ownedWorkspaces>;

/** Who changed an entry since it was read, and when. */
const changedMeanwhile = z.object({
  changedBy: z
    .object({ firstName: z.nullable(z.string()), lastName: z.nullable(z.string()) })
    .check(
      z.describe("Of `changed_meanwhile`: who; an account without a name has its address as first name"),
    ),
  updatedAt: time.check(z.describe("Of `changed_meanwhile`: when")),
});
export type ChangedMeanwhile = z.output<typeof changedMeanwhile>;

/** What the holder of a link may see after the submission. */
const submittedList = z.object({
  submittedAt: time.check(z.describe("Of `completed`: when")),
  files: z
    .array(z.object({ documentName: z.string(), fileName: z.string(), fileSize: bytes }))
    .check(z.describe("Of `completed`: what was submitted")),
});
export type SubmittedList = z.output<typeof submittedList>;

/** How the page of a link that no longer works looks. */
const linkView = z.object({
  language: z.enum(LANGUAGES).check(z.describe("Of `completed` and `expired`: the language of the request")),
  brand: z.nullable(brandResponse).check(z.describe("Of `completed` and `expired`: how the sender looks")),
});
export type LinkView = Partial<z.output<typeof linkView>>;

/** The body of every error response. */
export const errorResponse = entity("Error", {
  message: z.string().check(z.describe("For people")),
  code: z.string().check(z.describe("For programs; never changes")),
  issues: z.optional(z.array(issue)).check(z.describe("The invalid fields")),
  params: z
    .optional(z.record(z.string(), z.union([z.string(), z.number()])))
    .check(z.describe("The values of the message's placeholders")),
  workspaces: z
    .optional(ownedWorkspaces)
    .check(z.describe("Of `last_owner`: the workspaces that an account cannot leave without an owner")),
  challenge: z
    .optional(z.string())
    .check(z.describe("Of `second_factor_required`: to be sent to `POST /api/login/second-factor`")),
  methods: z
    .optional(z.array(z.enum(CONFIRMATION_METHODS)))
    .check(
      z.describe(
        "Of `reauthentication_required` and `second_factor_required`: what `POST /api/reauthenticate` or `POST /api/login/second-factor` accepts from this account",
      ),
    ),
  ...z.partial(z.object({ ...changedMeanwhile.shape, ...submittedList.shape, ...linkView.shape })).shape,
});
export type ErrorBody = z.output<typeof errorResponse>;
