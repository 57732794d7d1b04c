import type { LoadApiDescription } from "../../ports/api-description";
import type { ShownDocument } from "./docs-page";

/** Generates the description from the routes. Loads its code when called, so that it does not slow down a start. */
export const describeApi: LoadApiDescription = async (handlers) => {
  const [{ openApiDocument }, { DOCS_STYLE, docsPage }] = await Promise.all([
    import("./document"),
    import("./docs-page"),
  ]);
  const document = openApiDocument(handlers);
  return { document, page: docsPage(document as ShownDocument), style: DOCS_STYLE };
};
