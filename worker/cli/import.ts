import { contentOf } from "./archive/archive-folder";
import { runCommand } from "./archive-command";
import { importInto } from "./bun-stores";
import { openStores } from "./stores";

await runCommand({
  usage: "bun run import [--worker | --remote] [--replace] <folder>",
  async run({ kind, variables }, folder, options) {
    const stores = await openStores(kind, variables, { create: true });
    const { manifest, loss } = await importInto(stores, folder, { ...options, variables });
    const text = `${contentOf(manifest)} read from ${folder}`;
    return { text: loss ? `${text}\n${loss}` : text, problems: manifest.problems };
  },
});
