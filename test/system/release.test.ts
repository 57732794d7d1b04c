import { beforeEach, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { $, file, write } from "bun";
import { revisionOfSources } from "../../worker/adapters/bun/revision";
import { prepareRelease } from "../../worker/cli/release";
import { sha256 } from "../support/files/files";
import { makeFolder } from "../support/temporary-folder";

let root: string;
let out: string;

beforeEach(async () => {
  root = makeFolder();
  out = makeFolder();
  await $`git init --quiet`.cwd(root);
  await commit("1.2.0", "## [1.2.0] - 2026-12-31\n\n- Something new\n\n## [1.1.0] - 2026-11-30\n\n- Old\n");
});

async function commit(version: string, changes: string): Promise<void> {
  await write(join(root, "package.json"), JSON.stringify({ version }));
  await write(join(root, "CHANGELOG.md"), `# Changelog\n\n${changes}`);
  await $`git add . && git -c user.name=Ada -c user.email=ada@example.com commit --quiet -m Change`.cwd(root);
}

const prepare = () => prepareRelease(root, out, async (path) => void (await write(path, "executable")));

test("a release is tagged as its version, with the changelog's section, sources, executable and checksums", async () => {
  const { artifacts, ...release } = await prepare();
  const head = (await $`git rev-parse HEAD`.cwd(root).text()).trim();
  expect(release).toEqual({ version: "1.2.0", tag: "v1.2.0", commit: head, notes: "- Something new" });
  const [sources = "", executable = "", checksums = ""] = artifacts;
  expect(artifacts).toEqual([
    join(out, "doculopes-1.2.0.tar.gz"),
    join(out, `doculopes-1.2.0-${process.platform}-${process.arch}`),
    join(out, "SHA256SUMS"),
  ]);
  const sums = [sources, executable].map(async (path) => `${await sha256(file(path))}  ${basename(path)}\n`);
  expect(await file(checksums).text()).toBe((await Promise.all(sums)).join(""));
  expect((await $`tar -tf ${sources}`.text()).split("\n")).toContain("doculopes-1.2.0/package.json");
});

test("a release is refused without a dated changelog of its version, with changed files, and if its tag exists", async () => {
  await write(join(root, "new.txt"), "");
  await expect(prepare()).rejects.toThrow("There are changes that are not committed");
  await rm(join(root, "new.txt"));
  await commit("1.2.0", "## [1.2.0] - unreleased\n\n## [1.1.0] - 2026-11-30\n");
  await expect(prepare()).rejects.toThrow(
    'CHANGELOG.md begins with "[1.2.0] - unreleased", but package.json has 1.2.0',
  );
  await commit("1.3.0", "## [1.2.0] - 2026-12-31\n");
  await expect(prepare()).rejects.toThrow("package.json has 1.3.0");
  await commit("1.2.0", "## [1.2.0] - 2026-12-31\n");
  await $`git tag v1.2.0`.cwd(root);
  await expect(prepare()).rejects.toThrow("The tag v1.2.0 exists already");
});

test("sources name their commit, its date and that they were changed, and nothing without a repository", async () => {
  const [commit, date] = (await $`git log -1 --abbrev=12 --format=${"%h %cI"}`.cwd(root).text())
    .trim()
    .split(" ");
  expect(revisionOfSources(root)).toEqual({ commit, date } as { commit: string; date: string });
  await write(join(root, "package.json"), "{}");
  expect(revisionOfSources(root)?.commit).toBe(`${commit}-dirty`);
  await rm(join(root, ".git"), { recursive: true });
  expect(revisionOfSources(root)).toBeUndefined();
});
