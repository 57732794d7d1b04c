import type { ICruiseResult, IReachabilityForbiddenRuleType } from "dependency-cruiser";

export type TransitiveRule = IReachabilityForbiddenRuleType;

/** The shortest way of each file that reaches what the rule forbids, through any number of imports. */
export function findReaching({ modules }: ICruiseResult, { from, to }: TransitiveRule): string[] {
  const importers = new Map<string, string[]>();
  for (const { source, dependencies } of modules)
    for (const { resolved } of dependencies)
      importers.set(resolved, [...(importers.get(resolved) ?? []), source]);
  const targets = [...new Set([...modules.map(({ source }) => source), ...importers.keys()])];
  /** The way from each file to its nearest target. */
  const ways = new Map(targets.filter((path) => matches(to.path, path)).map((path) => [path, path]));
  // Goes on with the importers that it adds, which are farther away each.
  for (const [path, way] of ways)
    for (const importer of importers.get(path) ?? [])
      if (!ways.has(importer)) ways.set(importer, `${importer} -> ${way}`);
  return [...ways]
    .filter(([path]) => matches(from.path, path) && !(from.pathNot && matches(from.pathNot, path)))
    .map(([, way]) => way);
}

const matches = (pattern: string | string[] | undefined, path: string): boolean =>
  [pattern ?? ""].flat().some((one) => new RegExp(one).test(path));
