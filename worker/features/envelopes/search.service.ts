import type { Member } from "../../../db/queries/members";
import { indexBeforeSearch, searchExpression } from "../../../db/queries/search";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";

/**
 * Indexes what has changed since the last search.
 * @returns the expression to search for; null if nothing is searched for
 */
export async function prepareSearch(
  { db, log }: Dependencies,
  member: Member,
  typed: string,
): Promise<string | null> {
  const expression = searchExpression(typed);
  if (expression === null) return null;
  // A search also works while another process holds the write lock.
  await indexBeforeSearch(db, member).catch((error: unknown) =>
    log.warn("search without the latest changes", { error: causes(error) }),
  );
  return expression;
}
