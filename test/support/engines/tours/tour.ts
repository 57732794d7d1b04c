import { button, byRole, type EnginePage } from "../page";
import type { Word } from "../words";

/** Called at every screen and dialog, once nothing moves, with its name. */
export type Inspect = (name: string, options?: { below: number }) => Promise<void>;

export type Tour = { page: EnginePage; word: Word; inspect: Inspect };

export const dialog = byRole("dialog");
export const question = byRole("alertdialog");
/** An entry of an open list; the role alone would find those of a closed select, too. */
export const listed = { css: "[role=option]" };
/** The button of a list box, which is named by its label and its value. */
export const listButton = (label: RegExp) => button(new RegExp(`${label.source.slice(0, -1)} `));
