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
        return issue.origin === "string"
          ? `${field} must be at most ${issue.maximum} characters`
          : `${field} must be at most ${issue.maximum}${issue.origin === "array" ? " entries" : ""}`;
      case "too_small":
        return issue.origin === "string"
          ? `${field} must be at least ${issue.minimum} characters`
          : `${field} must be at least ${issue.minimum}${issue.origin === "array" ? " entries" : ""}`;
      case "invalid_value":
        return `${field} must be one of ${issue.values.map(String).join(", ")}`;
      default:
        return `${field} is not valid`;
    }
  },
});
