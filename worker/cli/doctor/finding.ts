import { causes } from "../../errors";

export type Finding = {
  level: "ok" | "warning" | "failure";
  /** What was looked at, such as `Database`. */
  subject: string;
  text: string;
  /** What to do about it. */
  advice?: string;
};

/** The three things that can be said of a subject. */
export function findingsOf(subject: string) {
  const finding =
    (level: Finding["level"]) =>
    (text: string, advice?: string): Finding => ({ level, subject, text, ...(advice && { advice }) });
  return { ok: finding("ok"), warning: finding("warning"), failure: finding("failure") };
}

/** The innermost reason of a failure, in one line. */
export function reasonOf(error: unknown): string {
  const lines = causes(error).trim().split("\n");
  return lines.at(-1) || String(error);
}

/** A line, and below it what to do. */
export function toText({ level, subject, text, advice }: Finding): string {
  const line = `${level.padEnd(8)} ${subject}: ${text}`;
  return advice ? `${line}\n${" ".repeat(9)}→ ${advice}` : line;
}
