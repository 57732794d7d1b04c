import { causes } from "../../errors";

export type Finding = {
  level: "ok" | "warning" | "failure";
  /** What was checked, such as `Database`. */
  subject: string;
  text: string;
  /** What to do about it. */
  advice?: string;
};

/** Creates the three kinds of finding for a subject, each as a list of it alone. */
export function findingsOf(subject: string) {
  const finding =
    (level: Finding["level"]) =>
    (text: string, advice?: string): Finding[] => [{ level, subject, text, ...(advice && { advice }) }];
  return { ok: finding("ok"), warning: finding("warning"), failure: finding("failure") };
}

/** The innermost cause of a failure, in one line. */
export function reasonOf(error: unknown): string {
  const lines = causes(error).trim().split("\n");
  return lines.at(-1) || String(error);
}

/** Whether a disk or its quota was full. */
export const isFull = (error: unknown): boolean =>
  /ENOSPC|EDQUOT|SQLITE_FULL|is full/.test(String(error) + reasonOf(error));

/** One line, followed by the advice. */
export function toText({ level, subject, text, advice }: Finding): string {
  const line = `${level.padEnd(8)} ${subject}: ${text}`;
  return advice ? `${line}\n${" ".repeat(9)}→ ${advice}` : line;
}
