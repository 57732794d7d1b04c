import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import workspace from "../../locales/en/workspace.json";
import { BrandingPreview } from "../../web/features/workspaces/settings/branding-settings";
import { readableOn } from "../../web/features/workspaces/settings/logo-readability";
import { brandShades } from "../../worker/contract/brand-colors";
import { initEnglishTexts } from "../support/english-texts";

await initEnglishTexts({ en: { workspace } });

test("the preview of a brand shows the page in both themes, with the shades that are used", () => {
  const markup = renderToStaticMarkup(
    <BrandingPreview
      name="Lovelace & Co"
      color="#ffd400"
      footer="Lovelace Ltd"
      logo={{ url: "/logo", width: 640, height: 160, readableOn: "light", hasName: false }}
    />,
  );
  expect(markup.match(/Lovelace &amp; Co/g)).toHaveLength(2);
  expect(markup.match(/width="120" height="30"/g)).toHaveLength(2);
  // In the dark theme only.
  expect(markup.match(/background:#e9e6df/g)).toHaveLength(1);
  for (const theme of ["light", "dark"] as const) {
    const { accent, ink, text } = brandShades("#ffd400", theme);
    expect(markup.split(`background:${accent};color:${ink}`)).toHaveLength(2);
    expect(markup).toContain(`Shades used: ${accent} and ${text}`);
  }
});

/** A picture of these pixels, and as many transparent ones. */
const pixels = (...colors: [number, number, number][]) =>
  new Uint8ClampedArray(
    Array.from({ length: 100 }, () => colors)
      .flat()
      .flatMap((color) => [...color, 255, 0, 0, 0, 0]),
  );

test.each([
  ["black", pixels([0, 0, 0]), "light"],
  ["white", pixels([255, 255, 255]), "dark"],
  ["blue", pixels([40, 90, 200]), "both"],
  ["mostly dark with a pale stroke", pixels(...Array(9).fill([20, 30, 60]), [250, 248, 230]), "light"],
  ["half white, half black", pixels([0, 0, 0], [255, 255, 255]), "none"],
  ["opaque", new Uint8ClampedArray(400).fill(255), "both"],
  ["empty", new Uint8ClampedArray(400), "none"],
] as const)("a logo that is %s is readable without a plate where its pixels are", (_, drawn, ground) => {
  expect(readableOn(drawn)).toBe(ground);
});

test("the preview without a brand shows the product", () => {
  const markup = renderToStaticMarkup(<BrandingPreview name="" color={null} footer="" logo={null} />);
  expect(markup.match(/Doculopes/g)).toHaveLength(2);
  expect(markup).not.toContain("<img");
});
