import { expect, test } from "bun:test";
import { type JSXElement, type JSXFragment, type Node, parseSync, Visitor } from "oxc-parser";
import { readSources } from "./sources";

/*
 * A browser's translator replaces text nodes. React then throws when it removes one, or inserts an element before it, and
 * the page is lost. A text that is alone in its element is safe: React sets the element's content.
 */

/** What a child may be: text, or an element or text that comes and goes. */
type Kind = "text" | "conditional";

/** They put each text among their children into an element. */
const WRAPPING = new Set(["Badge", "Button", "Separated", "WrappedTexts"]);
/** Elements that contain text; what is named by a variable is rather an element in the others. */
const PHRASING = new Set([
  "a",
  "button",
  "dd",
  "dt",
  "h1",
  "h2",
  "h3",
  "h4",
  "label",
  "p",
  "span",
  "summary",
]);

test("no text stands beside an element or a text that comes and goes", async () => {
  const found: string[] = [];
  for (const { path, text } of await readSources()) {
    if (!path.startsWith("web/") || !path.endsWith(".tsx")) continue;
    const check = (node: JSXElement | JSXFragment) => {
      if (isBroken(node)) found.push(`${path}:${text.slice(0, node.start).split("\n").length}`);
    };
    new Visitor({ JSXElement: check, JSXFragment: check }).visit(parseSync(path, text).program);
  }
  expect(found).toEqual([]);
});

test.each([
  ["<p>{a && <b />}{t('x')}</p>", true],
  ["<p>{a ? <b /> : null} text</p>", true],
  ["<p>{list.map((one) => <b key={one} />)}{`x`}</p>", true],
  ["<p><i />{a && t('x')}</p>", true],
  ["<button>{busy && <Spinner />}{children}</button>", true],
  ["<Fact>{text ?? 'x'}{a && <b />}</Fact>", true],
  ["<>{a && <b />}{'x'}</>", true],
  ["<p>{a ? <b /> : t('x')}<i /></p>", true],
  ["<p>{a && <b />}<span>{t('x')}</span></p>", false],
  ["<p>{a && t('x')}</p>", false],
  ["<p>{a ? t('x') : t('y')}</p>", false],
  ["<p><Icon /> {t('x')}</p>", false],
  ["<Button>{a && <Icon />}{t('x')}</Button>", false],
  ["<div>{a && <b />}{children}</div>", false],
])("%s is broken by a translator: %p", (code, broken) => {
  const [statement] = parseSync("a.tsx", code).program.body;
  if (statement?.type !== "ExpressionStatement") throw new Error(`No element: ${code}`);
  const { expression } = statement;
  if (expression.type !== "JSXElement" && expression.type !== "JSXFragment") throw new Error(code);
  expect(isBroken(expression)).toBe(broken);
});

function isBroken(node: JSXElement | JSXFragment): boolean {
  const name = node.type === "JSXElement" ? nameOf(node) : "";
  if (WRAPPING.has(name)) return false;
  const children = node.children
    .filter((child) => child.type !== "JSXText" || /\S/.test(child.value))
    .map((child) => kindsOf(child, PHRASING.has(name)));
  const has = (kind: Kind) => children.some((kinds) => kinds.has(kind));
  return children.length > 1 && has("text") && has("conditional");
}

const nameOf = ({ openingElement: { name } }: JSXElement) => (name.type === "JSXIdentifier" ? name.name : "");

function kindsOf(node: Node, inText: boolean): Set<Kind> {
  const kinds = (child: Node) => kindsOf(child, inText);
  switch (node.type) {
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
      return kinds(node.expression);
    case "JSXText":
    case "TemplateLiteral":
      return new Set(["text"]);
    case "Literal":
      return new Set(typeof node.value === "string" && node.value.trim() ? ["text"] : []);
    case "LogicalExpression":
      if (node.operator !== "&&") return kinds(node.left).union(kinds(node.right));
      return kinds(node.right).add("conditional");
    case "ConditionalExpression": {
      const either = kinds(node.consequent).union(kinds(node.alternate));
      return isText(node.consequent) && isText(node.alternate) ? either : either.add("conditional");
    }
    case "CallExpression":
      if (containsElement(node)) return new Set(["conditional"]);
      return new Set(inText || node.callee.type !== "Identifier" || node.callee.name === "t" ? ["text"] : []);
    case "Identifier":
    case "MemberExpression":
      return new Set(inText ? ["text"] : []);
    default:
      return new Set();
  }
}

const isText = (node: Node) => !containsElement(node) && !(node.type === "Literal" && node.value === null);

function containsElement(node: Node): boolean {
  let found = false;
  const find = () => {
    found = true;
  };
  const program = { type: "Program", body: [{ type: "ExpressionStatement", expression: node }] };
  new Visitor({ JSXElement: find, JSXFragment: find }).visit(program as never);
  return found;
}
