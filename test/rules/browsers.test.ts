import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { file, Glob } from "bun";
import { buildWeb } from "../../web/build";
import { ROOT } from "./sources";

/**
 * Features that Chrome 111, Firefox 128 or Safari 16.4 lack and that are easily used by mistake. The README names these
 * versions; Tailwind 4 requires them. Purely visual features (`text-wrap`, `field-sizing`) are allowed.
 */
const TOO_NEW = {
  js: [
    /\bPromise\.(?:withResolvers|try)\b/,
    /\b(?:Object|Map)\.groupBy\b/,
    /\bArray\.fromAsync\b/,
    /\bURL\.(?:canParse|parse)\b/,
    /\bAbortSignal\.any\b/,
    /\b(?:Uint8Array\.from(?:Base64|Hex)|\.to(?:Base64|Hex)\()/,
    /\bIterator\.(?:from|concat|prototype)\b/,
    /\b(?:Math\.sumPrecise|RegExp\.escape|Error\.isError|ReadableStream\.from|Response\.json)\b/,
    /\bIntl\.DurationFormat\b/,
    /\.(?:checkVisibility|showPopover|hidePopover|togglePopover|isWellFormed|moveBefore)\(/,
    /\b(?:cookieStore|scheduler)\.\w/,
    /\b(?:requestIdleCallback|setHTMLUnsafe|parseHTMLUnsafe)\(/,
    /\bawait using\b/,
  ],
  css: [
    /@(?:starting-style|scope|position-try|view-transition)\b/,
    /\b(?:light-dark|sibling-index|contrast-color)\(/,
    /\b(?:anchor-name|position-anchor|position-area|interpolate-size|transition-behavior|animation-timeline)\s*:/,
    /:user-(?:in)?valid\b/,
    /@container[^{]*\bstyle\(/,
    /[{;]\s*&/,
  ],
};

/** pdf.js's own build for older browsers, with polyfills. */
const WITH_POLYFILLS = /^(?:assets\/pdfjs-|pdfjs\/)/;

/** `use` may end in the parenthesis of a call. */
function isTested(source: string, use: string): boolean {
  const feature = use.replace(/\W+$/, "");
  return [`typeof ${feature}`, `if(${feature})`, `"${feature}"in `].some((test) => source.includes(test));
}

beforeAll(async () => {
  await buildWeb();
}, 240_000);

for (const [extension, patterns] of Object.entries(TOO_NEW)) {
  test(`the built ${extension} uses only features of the oldest supported browsers`, async () => {
    const found: string[] = [];
    for await (const path of new Glob(`**/*.{${extension},html}`).scan({ cwd: join(ROOT, "web/dist") })) {
      if (WITH_POLYFILLS.test(path)) continue;
      const source = await file(join(ROOT, "web/dist", path)).text();
      for (const pattern of patterns) {
        const use = pattern.exec(source);
        // A library may test for a feature before it uses it.
        if (use && !isTested(source, use[0]))
          found.push(`${path}: ${source.slice(use.index - 40, use.index + 60)}`);
      }
    }
    expect(found).toEqual([]);
  });
}
