import { counted, runCommand } from "./archive/command";
import { exportArchive } from "./archive/export-archive";

await runCommand({
  usage: "bun run export [--worker | --remote] <new folder>",
  async run(stores, folder) {
    const { rows, files } = await exportArchive(stores, folder);
    return `${counted(rows.users ?? 0, "account")} with ${counted(files, "file")} went into ${folder}`;
  },
});
