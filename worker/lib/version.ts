import { version } from "../../package.json";

/** The version of the app, from package.json. */
export const VERSION: string = version;

/** The commit that the running code was made of, and its date as an ISO string. */
export type Revision = { commit: string; date: string };

/** Defined by a build. */
declare const BUILT_REVISION: Revision | null | undefined;

/** The revision that a build was made of, null if that was not in a repository; undefined for sources that run as they are. */
export const builtRevision: Revision | null | undefined =
  typeof BUILT_REVISION === "undefined" ? undefined : BUILT_REVISION;

/** For people, such as `0.2.0 (4f2c1a9b7e30, 2026-11-27)`. */
export function nameVersion(revision?: Revision): string {
  return revision ? `${VERSION} (${revision.commit}, ${revision.date.slice(0, 10)})` : VERSION;
}
