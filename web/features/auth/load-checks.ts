import { createLater } from "../../lib/later";
import { loadTexts } from "../../lib/visitor-translation";

export const loadErrorTexts = () => loadTexts(["errors", "validation"]);

/** What the forms need to check their input and to say what is wrong with it. */
export const checks = createLater(() => import("./checks"), loadErrorTexts);
