import { importArchive } from "../../bun/cli/archive/import-archive";
import { counted } from "../../bun/cli/sentences";
import { runCommand } from "./move-command";

await runCommand({
  usage: "bun run import [--worker | --remote] [--replace] <folder>",
  async run(stores, folder, options) {
    const { rows, files } = await importArchive(stores, folder, options);
    return `${counted(rows.users ?? 0, "account")} with ${counted(files, "file")} came out of ${folder}`;
  },
});
