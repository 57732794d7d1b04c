/** A box that a logo is shown in, in pixels. */
const LOGO_BOX = { width: 160, height: 40 };

/** The size in which a logo is shown: as large as the box allows, and never larger than it is. */
export function shownLogoSize(logo: { width: number; height: number }, box = LOGO_BOX) {
  const scale = Math.min(1, box.width / logo.width, box.height / logo.height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(logo.width), height: scaled(logo.height) };
}
