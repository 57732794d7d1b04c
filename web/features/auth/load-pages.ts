import { createLater } from "../../lib/later";
import { loadErrorTexts } from "./load-checks";

/** The views that the first one leads to, and those of mailed links. */
export const pages = createLater(() => import("./later-pages"), loadErrorTexts);
