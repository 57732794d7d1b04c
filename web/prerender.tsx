import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";

/* `bun web/prerender.tsx <path of a first view>` writes its HTML; the build puts it into the page. */

// The theme is only followed in the browser.
Object.assign(globalThis, { matchMedia: () => ({ matches: false, addEventListener() {} }) });
const [, , path = ""] = process.argv;
const { firstView }: { firstView: ReactElement } = await import(path);
process.stdout.write(renderToString(firstView));
