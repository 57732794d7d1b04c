import * as z from "zod/mini";
import { listQuery, text } from "./fields";
import { LIMITS, SERVER_LIMITS } from "./limits";
import { NAME_SORTS } from "./list-orders";
import { FILTERED_OF_CONTACT } from "./searched-words";

/** What a list shows of each envelope; without `view`, all of it. */
export const VIEWS = ["row", "board"] as const;

/** What every list takes: a page, and what is counted and found. */
export const foundListQuery = z.extend(listQuery, {
  cursor: z
    .optional(text(SERVER_LIMITS.cursor))
    .check(z.describe("From the `Link` of the page before; it belongs to its `sort`")),
  counts: z
    .optional(z.enum(["0", "1"]))
    .check(z.describe("1 adds a header with the numbers of what the other parameters find")),
});

/** Part of a text; without regard to case and accents. */
export const filter = z.optional(text(LIMITS.filter).check(z.minLength(1)));

/** `GET /api/contacts` and `GET /api/templates`. */
export const namedListQuery = z.extend(foundListQuery, {
  sort: z.optional(z.enum(NAME_SORTS)),
  filter: filter.check(
    z.describe(
      `Words, each of which is in the name, of contacts also in ${FILTERED_OF_CONTACT.join(" or ")}; or a phone number`,
    ),
  ),
});
export type NamedListQuery = z.output<typeof namedListQuery>;
