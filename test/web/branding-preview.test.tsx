import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import workspace from "../../locales/en/workspace.json";
import { BrandingPreview } from "../../web/features/workspaces/settings/branding-settings";
import { brandShades } from "../../worker/contract/brand-colors";
import { initEnglishTexts } from "../support/english-texts";

await initEnglishTexts({ en: { workspace } });

test("the preview of a brand shows page and mail in both themes, with the shades that are used", () => {
  const markup = renderToStaticMarkup(
    <BrandingPreview
      name="Lovelace & Co"
      color="#ffd400"
      footer="Lovelace Ltd"
      logo={{ url: "/logo", width: 640, height: 160 }}
    />,
  );
  expect(markup.match(/Lovelace &amp; Co/g)).toHaveLength(4);
  expect(markup.match(/width="(?:120|160)" height="(?:30|40)"/g)).toHaveLength(4);
  for (const theme of ["light", "dark"] as const) {
    const { accent, ink, text } = brandShades("#ffd400", theme);
    expect(markup.split(`background:${accent};color:${ink}`)).toHaveLength(3);
    expect(markup).toContain(`Shades used: ${accent} and ${text}`);
  }
});

test("the preview without a brand shows the product", () => {
  const markup = renderToStaticMarkup(<BrandingPreview name="" color={null} footer="" logo={null} />);
  expect(markup.match(/Doculopes/g)).toHaveLength(4);
  expect(markup).not.toContain("<img");
});
