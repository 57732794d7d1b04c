import { computeAccessibleName, getRole, isInaccessible } from "dom-accessibility-api";

/** A name as text, or a regular expression in a form that can be sent to the page. */
export type Name = string | { pattern: string };
/** An element by role and accessible name, by its CSS selector, or the one whose own text this is. */
export type Query = { role: string; name?: Name } | { field: Name } | { text: Name } | { css: string };

/** The first element that a person can perceive. */
export function find(query: Query): Element | undefined {
  if ("css" in query) return [...document.querySelectorAll(query.css)].find(isPerceivable);
  const elements = [...document.body.querySelectorAll("*")];
  if ("text" in query)
    return elements.find((element) => matches(query.text, ownText(element)) && isPerceivable(element));
  if ("field" in query) {
    const fields = elements.filter((element) => element.matches("input, textarea, [role=combobox]"));
    return fields.find((element) => matches(query.field, nameOf(element)) && isPerceivable(element));
  }
  return elements.find(
    (element) =>
      getRole(element) === query.role &&
      (query.name === undefined || matches(query.name, nameOf(element))) &&
      isPerceivable(element),
  );
}

/**
 * The point to click on the element, once it is in view and nothing covers it; otherwise a sentence that says why not.
 */
export function locate(query: Query): { x: number; y: number } | string {
  const element = find(query);
  if (!element) return `There is no ${JSON.stringify(query)}`;
  element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = document.elementFromPoint(x, y);
  return hit && takesClick(element, hit)
    ? { x, y }
    : `${JSON.stringify(query)} is covered by ${hit?.outerHTML.slice(0, 200)}`;
}

/**
 * Whether the click reaches the element: directly, a field through its label, or a table row through the link that
 * covers it.
 */
function takesClick(element: Element, hit: Element): boolean {
  return (
    element.contains(hit) ||
    hit.closest("label")?.control === element ||
    hit.closest("a")?.closest("tr")?.contains(element) === true
  );
}

const nameOf = (element: Element) => computeAccessibleName(element).replace(/\s+/g, " ").trim();

function isPerceivable(element: Element): boolean {
  return !isInaccessible(element) && !element.closest("[inert]");
}

function ownText(element: Element): string {
  const hasOwn = [...element.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
  );
  return hasOwn ? (element.textContent ?? "").replace(/\s+/g, " ").trim() : "";
}

function matches(name: Name, text: string): boolean {
  return typeof name === "string" ? text === name : new RegExp(name.pattern).test(text);
}
