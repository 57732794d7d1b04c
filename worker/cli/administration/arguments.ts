import { type ParseArgsConfig, parseArgs } from "node:util";
import { StartError } from "../../adapters/bun/start-error";
import { LANGUAGES, type Language } from "../../contract/options";
import { isEmailAddress, normalizeAddress } from "../../contract/patterns";
import { Help } from "../messages";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** An option without a value. */
export const FLAG = { type: "boolean", default: false } as const;
/** The options of every administrative command; `administer` reads it. */
export const JSON_OPTION = { json: FLAG } as const;
/** The options of the commands that mail a link to a new address. */
export const LINK_OPTIONS = {
  ...JSON_OPTION,
  language: { type: "string", default: "en" },
  link: FLAG,
} as const;

/**
 * Parses the options and requires exactly one argument for each name.
 * @throws StartError that says what is wrong and shows the usage; Help
 */
export function readArguments<O extends Options>(
  args: string[],
  { usage, options, names }: { usage: string; options: O; names: readonly string[] },
) {
  if (args.includes("--help")) throw new Help(`Usage: ${usage}`);
  const parsed = parse(args, options, usage);
  const { positionals } = parsed;
  const empty = Object.entries(parsed.values).find(([, value]) => value === "");
  if (empty) throw new StartError(`--${empty[0]} is empty. Usage: ${usage}`);
  const missing = names.find((_, index) => !positionals[index]);
  if (missing !== undefined) throw new StartError(`${missing} is missing. Usage: ${usage}`);
  const extra = positionals[names.length];
  if (extra !== undefined)
    throw new StartError(`Unexpected argument ${JSON.stringify(extra)}. Usage: ${usage}`);
  return { values: parsed.values, positionals };
}

function parse<O extends Options>(args: string[], options: O, usage: string) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split(/\.(?: |\n|$)|\n/);
    throw new StartError(`${reason}. Usage: ${usage}`);
  }
}

/** @throws StartError */
export function requireAddress(value: string): string {
  const email = normalizeAddress(value);
  if (!isEmailAddress(email)) throw new StartError(`${JSON.stringify(value)} is not an email address`);
  return email;
}

/** @throws StartError */
export function requireWholeNumber(value: string, what: string, { min, max }: { min: number; max: number }) {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max)
    throw new StartError(
      `${what} is ${JSON.stringify(value)}, but must be a whole number from ${min} to ${max}`,
    );
  return number;
}

/** The id of a row. @throws StartError */
export const requireId = (value = "") =>
  requireWholeNumber(value, "The id", { min: 1, max: Number.MAX_SAFE_INTEGER });

/** @throws StartError */
export function requireLanguage(value: string): Language {
  const language = LANGUAGES.find((known) => known === value);
  if (language) return language;
  throw new StartError(`--language is ${JSON.stringify(value)}, but must be one of ${LANGUAGES.join(", ")}`);
}
