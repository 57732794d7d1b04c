import type { EnginePage } from "../page";
import type { Appearance, startDemoSite } from "../site";
import type { Engine } from "../tab";
import { wordsOf } from "../words";
import { tourNewcomer } from "./newcomer";
import { tourOwner } from "./owner";
import { tourRecipient } from "./recipient";
import { tourSecurity } from "./security";
import type { Inspect } from "./tour";
import { tourVisitor } from "./visitor";

type Site = Awaited<ReturnType<typeof startDemoSite>>;

/** Opens every page and dialog as an owner with data, as a new user and as a recipient, and calls `watch` at each. */
export async function tourAll(
  site: Site,
  engine: Engine,
  appearance: Appearance,
  watch: (page: EnginePage) => Inspect,
): Promise<void> {
  const word = wordsOf(appearance.language);
  const owner = await site.visitAsOwner(engine, appearance);
  const envelopes = await site.envelopes(owner);
  await tourOwner({ page: owner, word, inspect: watch(owner) }, { ...envelopes, picture: site.picture });
  await owner.tab.close();
  const newcomer = await site.visitAsNewcomer(engine, appearance);
  await tourNewcomer({ page: newcomer, word, inspect: watch(newcomer) });
  await tourSecurity({ page: newcomer, word, inspect: watch(newcomer) });
  await newcomer.tab.close();
  const visitor = await site.visit(engine, appearance);
  await tourVisitor({ page: visitor, word, inspect: watch(visitor) });
  await tourRecipient({ page: visitor, word, inspect: watch(visitor) }, { ...envelopes, file: site.pdf });
  await visitor.tab.close();
}
