/** A line of text or a control: its layout box, and the visible part of it. */
export type Leaf = { element: Element; whole: DOMRect; seen: DOMRect };

const CONTROLS =
  "button, a[href], input, select, textarea, [role=switch], [role=radio], [role=tab], canvas, img";

/** Every line of text and every control below the root that has a layout box. */
export function readLeaves(root: Element): Leaf[] {
  const leaves: Leaf[] = [];
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

export function intersect(a: DOMRect, b: DOMRect): DOMRect {
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
  let { position } = getComputedStyle(element);
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (position === "fixed") return;
    const style = getComputedStyle(parent);
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

/** Neither hidden nor clipped, as texts for screen readers are (`sr-only`, Radix). */
function isLaidOut(element: Element): boolean {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  for (let box: Element | null = element; box; box = box.parentElement) {
    const { clipPath, clip } = getComputedStyle(box);
    if (clipPath === "inset(50%)" || clip === "rect(0px, 0px, 0px, 0px)") return false;
  }
  return true;
}

function clip(element: Element, whole: DOMRect): DOMRect {
  let seen = whole;
  for (const box of [element, ...containersOf(element)]) {
    if (box === document.documentElement || box === document.body) continue;
    if (getComputedStyle(box).overflow !== "visible") seen = intersect(seen, box.getBoundingClientRect());
  }
  return seen;
}
