import * as z from "zod";

const KINDS: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** Messages for checks without a message of their own. */
z.config({
  customError: (issue) => {
    const field = issue.path?.length ? issue.path.join(".") : "The input";
    switch (issue.code) {
      case "invalid_type":
        return issue.input === undefined
          ? `${field} is required`
          : `${field} must be ${KINDS[issue.expected] ?? issue.expected}`;
      case "too_big":
        return `${field} must ${atLimit("at most", Number(issue.maximum), issue.origin)}`;
      case "too_small":
        return `${field} must ${atLimit("at least", Number(issue.minimum), issue.origin)}`;
      case "invalid_value":
        return `${field} must be one of ${issue.values.map(String).join(", ")}`;
      default:
        return `${field} is not valid`;
    }
  },
});

function atLimit(bound: string, limit: number, origin: string): string {
  if (origin === "string") return `have ${bound} ${limit} ${limit === 1 ? "character" : "characters"}`;
  if (origin === "array") return `have ${bound} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return `be ${bound} ${limit}`;
}
