import {
  boxOf,
  containersOf,
  contains,
  forgetLayout,
  isEmpty,
  type Leaf,
  readLeaves,
  styleOf,
} from "./boxes";

const CLICKABLE = "button:not(:disabled), a[href], input, textarea, select";
/** What contains the toast. In a dialog, it lies over the body, or beside the dialog. */
const TOASTS = "section > :is([role=alert], [role=status])";
/** What is one line on a phone, such as the tabs of home, and the board, whose documents are as many as somebody requests. */
const SCROLLS_SIDEWAYS = "[role=tablist], [role=grid], .strip";
/** The actions of a row, which cover its last columns while it is pointed at or has the focus. */
const OVER_ROW = "td > .absolute";
/** The minimum height of the scrolling part of a dialog, in pixels. */
const LEAST_BODY = 120;

/** The problems of the layout of the page, or of the topmost list or dialog, as short lines. */
export function layoutProblems(): string[] {
  forgetLayout();
  const dialog = topmost("[role=dialog], [role=alertdialog]");
  const list = topmost("[role=listbox]");
  // An open list may extend beyond its dialog. With its search field, if it has one, it has its own surface.
  const root = (list && surfaceOf(list, document.body)) ?? dialog ?? document.body;
  const leaves = readLeaves(root);
  return [
    ...new Set([
      ...sidewaysProblems(root),
      ...heightProblems(),
      ...leaves.flatMap((leaf) => leafProblems(leaf, root)),
      ...overlaps(leaves),
      ...leaves.flatMap(coverProblems),
      ...(list ? surfaceProblems(root, root, leaves) : []),
      ...(dialog && !list ? dialogProblems(dialog, leaves) : []),
      ...(dialog ? primaryProblems(dialog) : []),
    ]),
  ];
}

function topmost(selector: string): Element | undefined {
  return [...document.querySelectorAll(selector)].findLast(
    (element) => element.checkVisibility() && !element.closest("[inert]"),
  );
}

/** A margin outside the body adds to its least height, and the page scrolls though everything fits. */
function heightProblems(): string[] {
  const above = Math.round(document.body.getBoundingClientRect().top + scrollY);
  return above > 0 ? [`the body begins ${above} px below the top of the page`] : [];
}

function sidewaysProblems(root: Element): string[] {
  const page = document.documentElement;
  const wide = [...root.querySelectorAll("*")].filter(
    (element) =>
      element.scrollWidth > element.clientWidth + 1 &&
      ["auto", "scroll"].includes(styleOf(element).overflowX) &&
      !element.matches(`input, textarea, ${SCROLLS_SIDEWAYS}`),
  );
  return [
    ...(page.scrollWidth > innerWidth ? [`the page is ${page.scrollWidth} px wide`] : []),
    ...wide.map((element) => `${describe(element)} scrolls sideways`),
  ];
}

/** A leaf is cut if a part of it is hidden and cannot be scrolled to. It must not extend beyond its containers. */
function leafProblems({ element, whole }: Leaf, root: Element): string[] {
  // What takes no press and is not read, such as a dot between texts, may extend beyond its element.
  if (styleOf(element).pointerEvents === "none" && element.closest("[aria-hidden]")) return [];
  for (const box of [element, ...containersOf(element)]) {
    if (!root.contains(box) || box.matches(`${TOASTS}, ${SCROLLS_SIDEWAYS}, ${OVER_ROW}`)) return [];
    const rect = boxOf(box);
    const style = styleOf(box);
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

/** A click on a fully visible control must reach it: no invisible element may cover it. */
function coverProblems({ element, whole, seen }: Leaf): string[] {
  if (!element.matches(CLICKABLE) || isEmpty(seen) || !contains(seen, whole)) return [];
  const hit = document.elementFromPoint(whole.left + whole.width / 2, whole.top + whole.height / 2);
  if (
    !hit ||
    element.contains(hit) ||
    hit.closest("label")?.control === element ||
    // Its own scrollbar, which WebKit lays over the content.
    (hit.matches(SCROLLS_SIDEWAYS) && hit.contains(element)) ||
    layerOf(hit) !== layerOf(element)
  )
    return [];
  return [`${describe(element)} is covered by ${describe(hit)}`];
}

function overlaps(leaves: Leaf[]): string[] {
  const seen = leaves
    .filter((leaf) => !isEmpty(leaf.seen) && !isTransparentText(leaf.element))
    .map((leaf) => ({ ...leaf, layer: layerOf(leaf.element) }));
  const found: string[] = [];
  for (const [index, a] of seen.entries()) {
    for (const b of seen.slice(index + 1)) {
      // The cheapest condition first: there may be a hundred thousand pairs.
      if (!overlap(a.seen, b.seen)) continue;
      if (a.layer !== b.layer || a.element.contains(b.element) || b.element.contains(a.element)) continue;
      const label = a.element.closest("label");
      if (!label || label !== b.element.closest("label"))
        found.push(`${describe(a.element)} overlaps ${describe(b.element)}`);
    }
  }
  return found;
}

/** By more than two pixels in both directions. */
const overlap = (a: DOMRect, b: DOMRect) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;

/** The selectable text of a PDF covers its picture. */
const isTransparentText = (element: Element) => getComputedStyle(element).color === "rgba(0, 0, 0, 0)";

/** A fixed or sticky layer may cover what scrolls below it, and a toast a field until it disappears. */
function layerOf(element: Element): Element | null {
  for (let box: Element | null = element; box; box = box.parentElement)
    if (box.matches(`${TOASTS}, ${OVER_ROW}`) || ["fixed", "sticky"].includes(styleOf(box).position))
      return box;
  return null;
}

function dialogProblems(dialog: Element, leaves: Leaf[]): string[] {
  const title = dialog.querySelector("h2") ?? leaves[0]?.element;
  const surface = title && surfaceOf(title, dialog);
  return surface ? surfaceProblems(dialog, surface, leaves) : [`${describe(dialog)} has no opaque surface`];
}

/** A dialog has one action to which all others are secondary. */
function primaryProblems(dialog: Element): string[] {
  const primary = [...dialog.querySelectorAll("button.bg-accent, a.bg-accent")].filter((button) =>
    button.checkVisibility(),
  );
  return primary.length > 1 ? [`${primary.map(describe).join(" and ")} are both primary`] : [];
}

/**
 * Title, body and buttons must be on one opaque surface inside the window, a toast inside the window, and the scrolling
 * part must be high enough to read.
 */
function surfaceProblems(root: Element, surface: Element, leaves: Leaf[]): string[] {
  const rect = surface.getBoundingClientRect();
  const page = new DOMRect(0, 0, innerWidth, innerHeight);
  const bodies = [root, ...root.querySelectorAll("*")].filter(
    (element) =>
      element.scrollHeight > element.clientHeight + 1 &&
      ["auto", "scroll"].includes(styleOf(element).overflowY) &&
      !element.matches("textarea"),
  );
  return [
    ...(contains(page, rect) ? [] : [`${describe(root)} leaves the window`]),
    ...leaves
      .filter(({ element, seen }) => !isEmpty(seen) && !contains(element.closest(TOASTS) ? page : rect, seen))
      .map(({ element }) => `${describe(element)} lies beside the surface of ${describe(root)}`),
    ...bodies
      .filter((body) => body.clientHeight < LEAST_BODY)
      .map((body) => `the body of ${describe(root)} is ${body.clientHeight} px high`),
  ];
}

function surfaceOf(element: Element, dialog: Element): Element | undefined {
  for (let box: Element | null = element; box && dialog.contains(box); box = box.parentElement)
    if (isOpaque(getComputedStyle(box).backgroundColor)) return box;
}

function isOpaque(color: string): boolean {
  return color !== "transparent" && !/rgba\(.*,|\/ /.test(color);
}

function describe(element: Element): string {
  const text = (element.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 30);
  const name = element.getAttribute("aria-label") ?? element.getAttribute("name") ?? text;
  return `<${element.tagName.toLowerCase()} ${name}>`;
}
