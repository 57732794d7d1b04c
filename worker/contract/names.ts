export type Names = { firstName: string; lastName: string };

/** First and last name of a full name: its first word and the rest. */
export function splitName(name: string): Names {
  const [firstName = "", ...rest] = name.trim().split(/\s+/);
  return { firstName, lastName: rest.join(" ") };
}
