import { counted, runCommand } from "./archive/command";
import { importArchive } from "./archive/import-archive";

await runCommand({
  usage: "bun run import [--worker | --remote] [--replace] <folder>",
  async run(stores, folder, options) {
    const { rows, files } = await importArchive(stores, folder, options);
    return `${counted(rows.users ?? 0, "account")} with ${counted(files, "file")} came out of ${folder}`;
  },
});
