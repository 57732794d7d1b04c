import { importArchive } from "./archive/import-archive";
import { runCommand } from "./archive-command";
import { pluralize } from "./messages";

await runCommand({
  usage: "bun run import [--worker | --remote] [--replace] <folder>",
  async run(stores, folder, options) {
    const { rows, files } = await importArchive(stores, folder, options);
    return `${pluralize(rows.users ?? 0, "account")} with ${pluralize(files, "file")} read from ${folder}`;
  },
});
