import { letOthersRunEvery } from "../../lib/turns";
import type { LoadApiDescription } from "../../ports/api-description";
import type { ShownDocument } from "./docs-page";

/** Of all of it, which takes a slow machine 200 ms. */
const TURN_MS = 10;

/** Generates the description from the routes. Loads its code when called, so that it does not slow down a start. */
export const describeApi: LoadApiDescription = async (handlers) => {
  const [{ openApiDocument }, { DOCS_STYLE, docsPage }] = await Promise.all([
    import("./document"),
    import("./docs-page"),
  ]);
  const letOthersRun = letOthersRunEvery(TURN_MS);
  const document = await openApiDocument(handlers, letOthersRun);
  await letOthersRun();
  const page = docsPage(document as ShownDocument);
  await letOthersRun();
  return { document, page, style: DOCS_STYLE };
};
