/** A line of text or a control: its layout box, and the visible part of it. */
export type Leaf = { element: Element; whole: DOMRect; seen: DOMRect };

const CONTROLS =
  "button, a[href], input, select, textarea, [role=switch], [role=radio], [role=tab], canvas, img";

type Style = Pick<
  CSSStyleDeclaration,
  "position" | "transform" | "overflow" | "overflowX" | "overflowY" | "pointerEvents"
>;
let styles = new Map<Element, Style>();
let boxes = new Map<Element, DOMRect>();

/** Call before each check: `styleOf` and `boxOf` read each element once, which takes most of the time of a check. */
export function forgetLayout(): void {
  styles = new Map();
  boxes = new Map();
}

export function styleOf(element: Element): Style {
  let style = styles.get(element);
  if (!style) {
    const { position, transform, overflow, overflowX, overflowY, pointerEvents } = getComputedStyle(element);
    style = { position, transform, overflow, overflowX, overflowY, pointerEvents };
    styles.set(element, style);
  }
  return style;
}

export function boxOf(element: Element): DOMRect {
  let box = boxes.get(element);
  if (!box) {
    box = element.getBoundingClientRect();
    boxes.set(element, box);
  }
  return box;
}

/** Every line of text and every control below the root that has a layout box. */
export function readLeaves(root: Element): Leaf[] {
  const leaves: Leaf[] = [];
  const isLaidOut = laidOutCheck();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node instanceof Element ? node : node.parentElement;
    if (!element || !isLaidOut(element)) continue;
    for (const whole of boxesOf(node)) leaves.push({ element, whole, seen: clip(element, whole) });
  }
  return leaves;
}

export function isEmpty({ width, height }: DOMRect): boolean {
  return width < 1 || height < 1;
}

function intersect(a: DOMRect, b: DOMRect): DOMRect {
  const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
  const [right, bottom] = [Math.min(a.right, b.right), Math.min(a.bottom, b.bottom)];
  return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
}

/** Whether the inner box lies inside the outer one, within a rounding pixel. */
export function contains(outer: DOMRect, inner: DOMRect): boolean {
  return (
    inner.left >= outer.left - 1 &&
    inner.right <= outer.right + 1 &&
    inner.top >= outer.top - 1 &&
    inner.bottom <= outer.bottom + 1
  );
}

/**
 * The ancestors that the element is laid out in, nearest first. An absolute box skips those that do not position it.
 */
export function* containersOf(element: Element): Generator<Element> {
  let current = element;
  let { position } = styleOf(element);
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (position === "fixed") return;
    const style = styleOf(parent);
    if (position === "absolute" && style.position === "static" && style.transform === "none") continue;
    yield parent;
    current = parent;
    position = style.position;
  }
  return current;
}

function boxesOf(node: Node): DOMRect[] {
  if (node instanceof Element) return node.matches(CONTROLS) ? [contentBox(node)] : [];
  if (!node.nodeValue?.trim()) return [];
  const range = document.createRange();
  range.selectNodeContents(node);
  return [...range.getClientRects()].filter((rect) => !isEmpty(rect));
}

/** Without the padding, which fields reserve for icons and buttons. */
function contentBox(element: Element): DOMRect {
  const box = element.getBoundingClientRect();
  if (!element.matches("input, textarea, select")) return box;
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  const [left, right] = [Number.parseFloat(paddingLeft), Number.parseFloat(paddingRight)];
  return new DOMRect(box.left + left, box.top, box.width - left - right, box.height);
}

/**
 * Whether an element is neither hidden nor clipped, as texts for screen readers are (`sr-only`, Radix). Reads the style
 * of each ancestor once: in WebKit that takes most of the time of a check.
 */
function laidOutCheck(): (element: Element) => boolean {
  const known = new Map<Element, boolean>();
  const isUnclipped = (element: Element): boolean => {
    const before = known.get(element);
    if (before !== undefined) return before;
    const { clipPath, clip } = getComputedStyle(element);
    const clipped = clipPath === "inset(50%)" || clip === "rect(0px, 0px, 0px, 0px)";
    const parent = element.parentElement;
    const unclipped = !clipped && (parent === null || isUnclipped(parent));
    known.set(element, unclipped);
    return unclipped;
  };
  return (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && isUnclipped(element);
}

function clip(element: Element, whole: DOMRect): DOMRect {
  let seen = whole;
  for (const box of [element, ...containersOf(element)]) {
    if (box === document.documentElement || box === document.body) continue;
    if (styleOf(box).overflow !== "visible") seen = intersect(seen, boxOf(box));
  }
  return seen;
}
