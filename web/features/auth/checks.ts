import { flatten, type GenericSchema, type InferOutput, safeParse } from "valibot";
import * as schemas from "./auth.schema";

export { showServerIssues } from "../../lib/form";

export type Schemas = typeof schemas;

type Checked<Schema extends GenericSchema> =
  | { values: InferOutput<Schema> }
  /** The first message of each field. */
  | { errors: Record<string, string> };

export function check<Schema extends GenericSchema>(
  choose: (all: Schemas) => Schema,
  input: unknown,
): Checked<Schema> {
  const { success, output, issues } = safeParse(choose(schemas), input);
  if (success) return { values: output };
  const found = Object.entries<[string, ...string[]] | undefined>(flatten(issues).nested ?? {});
  return { errors: Object.fromEntries(found.map(([name, messages]) => [name, messages?.[0] ?? ""])) };
}
