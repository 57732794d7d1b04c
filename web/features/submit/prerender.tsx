import { renderToString } from "react-dom/server";
import texts from "../../../locales/en/submit.json";

/* Writes the page as it is before anything is known: the build puts it into submit.html. */

// The theme is followed in the browser alone; here nothing ever changes.
Object.assign(globalThis, { matchMedia: () => ({ matches: false, addEventListener() {} }) });
const { SubmitApp } = await import("./submit-app");
process.stdout.write(renderToString(<SubmitApp token="" language="en" texts={texts} />));
