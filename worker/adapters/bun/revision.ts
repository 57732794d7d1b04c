import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnSync, which } from "bun";
import { builtRevision, type Revision } from "../../lib/version";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** What this process runs. Undefined for sources outside a repository, such as those of an archive. */
export const readRevision = (): Revision | undefined =>
  builtRevision === undefined ? revisionOfSources(ROOT) : (builtRevision ?? undefined);

/**
 * What a build of these sources defines, so that it knows them. REVISION, a commit and its date, is for a build that gets
 * the sources without their history, such as an image's.
 */
export function definedRevision(environment: Record<string, string | undefined> = {}) {
  const [commit, date] = environment.REVISION?.split(" ") ?? [];
  const revision = commit && date ? { commit, date } : revisionOfSources(ROOT);
  return { BUILT_REVISION: JSON.stringify(revision ?? null) };
}

/** The commit of a repository, marked if files have changed since. */
export function revisionOfSources(root: string): Revision | undefined {
  // A repository around the sources is not theirs.
  if (!existsSync(join(root, ".git"))) return undefined;
  const commit = git(root, "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty");
  const date = git(root, "log", "-1", "--format=%cI");
  return commit && date ? { commit, date } : undefined;
}

/** The output of a command that only reads; undefined if it fails, or git is not installed. */
function git(root: string, ...args: string[]): string | undefined {
  const program = which("git");
  if (!program) return undefined;
  const { success, stdout } = spawnSync([program, "--no-optional-locks", ...args], { cwd: root });
  return success ? stdout.toString().trim() : undefined;
}
