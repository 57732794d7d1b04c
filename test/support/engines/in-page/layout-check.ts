import { containersOf, contains, intersect, isEmpty, type Leaf, readLeaves } from "./boxes";

const CLICKABLE = "button:not(:disabled), a[href], input, textarea, select";
/** The least height of what scrolls in a dialog, in pixels. */
const LEAST_BODY = 120;

/** What is wrong with the layout of the page, or of the dialog that lies on top of it, as short lines. */
export function layoutProblems(): string[] {
  const dialogs = [...document.querySelectorAll("[role=dialog], [role=alertdialog]")].filter(
    (dialog) => dialog.checkVisibility() && !dialog.closest("[inert]"),
  );
  const dialog = dialogs.at(-1);
  const root = dialog ?? document.body;
  const leaves = readLeaves(root);
  return [
    ...new Set([
      ...sidewaysProblems(root),
      ...leaves.flatMap(leafProblems),
      ...overlaps(leaves),
      ...leaves.flatMap(coverProblems),
      ...(dialog ? surfaceProblems(dialog, leaves) : []),
    ]),
  ];
}

function sidewaysProblems(root: Element): string[] {
  const page = document.documentElement;
  const wide = [...root.querySelectorAll("*")].filter(
    (element) =>
      element.scrollWidth > element.clientWidth + 1 &&
      ["auto", "scroll"].includes(getComputedStyle(element).overflowX) &&
      !element.matches("input, textarea"),
  );
  return [
    ...(page.scrollWidth > innerWidth ? [`the page is ${page.scrollWidth} px wide`] : []),
    ...wide.map((element) => `${describe(element)} scrolls sideways`),
  ];
}

/** A leaf is cut where something hides a part of it that cannot be scrolled to, and must not leave its containers. */
function leafProblems({ element, whole }: Leaf): string[] {
  // A tooltip may reach beyond what it names, as long as nothing scrolls for it.
  if (getComputedStyle(element).pointerEvents === "none" && element.closest("[aria-hidden]")) return [];
  for (const box of [element, ...containersOf(element)]) {
    const rect = box.getBoundingClientRect();
    const style = getComputedStyle(box);
    const leaves = whole.right > rect.right + 1 || whole.left < rect.left - 1;
    const below = whole.bottom > rect.bottom + 1 || whole.top < rect.top - 1;
    const hides = style.overflowX !== "visible";
    if (hides && (leaves || below) && box.closest("[title]")) return [];
    if (leaves) return [`${describe(element)} ${hides ? "is cut by" : "leaves"} ${describe(box)}`];
    if (below && ["hidden", "clip"].includes(style.overflowY))
      return [`${describe(element)} is cut by ${describe(box)}`];
    if (["auto", "scroll"].includes(style.overflowY)) return [];
  }
  return [];
}

/** A control that is in view as a whole is hit where it is clicked: nothing invisible lies over it either. */
function coverProblems({ element, whole, seen }: Leaf): string[] {
  if (!element.matches(CLICKABLE) || isEmpty(seen) || !contains(seen, whole)) return [];
  const hit = document.elementFromPoint(whole.left + whole.width / 2, whole.top + whole.height / 2);
  if (
    !hit ||
    element.contains(hit) ||
    hit.closest("label")?.control === element ||
    layerOf(hit) !== layerOf(element)
  )
    return [];
  return [`${describe(element)} is covered by ${describe(hit)}`];
}

function overlaps(leaves: Leaf[]): string[] {
  const seen = leaves
    .filter((leaf) => !isEmpty(leaf.seen))
    .map((leaf) => ({ ...leaf, layer: layerOf(leaf.element) }));
  const found: string[] = [];
  for (const [index, a] of seen.entries()) {
    for (const b of seen.slice(index + 1)) {
      if (a.layer !== b.layer || a.element.contains(b.element) || b.element.contains(a.element)) continue;
      if (a.element.closest("label") && a.element.closest("label") === b.element.closest("label")) continue;
      const { width, height } = intersect(a.seen, b.seen);
      if (width > 2 && height > 2) found.push(`${describe(a.element)} overlaps ${describe(b.element)}`);
    }
  }
  return found;
}

/** What is fixed or sticky may lie over what scrolls below it. */
function layerOf(element: Element): Element | null {
  for (let box: Element | null = element; box; box = box.parentElement) {
    if (["fixed", "sticky"].includes(getComputedStyle(box).position)) return box;
  }
  return null;
}

/** Title, body and buttons lie on one opaque surface inside the window, and what scrolls is high enough to read. */
function surfaceProblems(dialog: Element, leaves: Leaf[]): string[] {
  const title = dialog.querySelector("h2") ?? leaves[0]?.element;
  const surface = title && surfaceOf(title, dialog);
  if (!surface) return [`${describe(dialog)} has no opaque surface`];
  const rect = surface.getBoundingClientRect();
  const bodies = [...dialog.querySelectorAll("*")].filter(
    (element) =>
      element.scrollHeight > element.clientHeight + 1 &&
      ["auto", "scroll"].includes(getComputedStyle(element).overflowY) &&
      !element.matches("textarea"),
  );
  return [
    ...(contains(new DOMRect(0, 0, innerWidth, innerHeight), rect)
      ? []
      : [`${describe(dialog)} leaves the window`]),
    ...leaves
      .filter(({ seen }) => !isEmpty(seen) && !contains(rect, seen))
      .map(({ element }) => `${describe(element)} lies beside the dialog's surface`),
    ...bodies
      .filter((body) => body.clientHeight < LEAST_BODY)
      .map((body) => `the dialog's body is ${body.clientHeight} px high`),
  ];
}

function surfaceOf(element: Element, dialog: Element): Element | undefined {
  for (let box: Element | null = element; box && dialog.contains(box); box = box.parentElement) {
    if (isOpaque(getComputedStyle(box).backgroundColor)) return box;
  }
}

function isOpaque(color: string): boolean {
  return color !== "transparent" && !/rgba\(.*,|\/ /.test(color);
}

function describe(element: Element): string {
  const text = (element.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 30);
  const name = element.getAttribute("aria-label") ?? element.getAttribute("name") ?? text;
  return `<${element.tagName.toLowerCase()} ${name}>`;
}
