import { which } from "bun";

/** Renders as Chromium does, with about half of the CPU. */
export const HEADLESS_SHELL = "chromium-headless-shell";

const PROGRAMS = [HEADLESS_SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of `CHROMIUM_PATH`, or of the first of these that is installed. */
export function findChromium(): string | undefined {
  return process.env.CHROMIUM_PATH || PROGRAMS.map((name) => which(name)).find((path) => path !== null);
}
