import { contentOf } from "./archive/archive-folder";
import { runCommand } from "./archive-command";
import { importInto } from "./bun-stores";
import { openStores } from "./stores";

await runCommand({
  usage: "bun run import [--worker | --remote] [--replace] <folder>",
  async run({ kind, variables }, folder, options) {
    const manifest = await importInto(await openStores(kind, variables), folder, options);
    return { text: `${contentOf(manifest)} read from ${folder}`, problems: manifest.problems };
  },
});
