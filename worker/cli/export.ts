import { exportArchive } from "./archive/export-archive";
import { runCommand } from "./archive-command";
import { counted } from "./messages";

await runCommand({
  usage: "bun run export [--worker | --remote] <new folder>",
  async run({ db, files }, folder) {
    const { rows, files: count } = await exportArchive({ files, rows: async () => db }, folder);
    return `${counted(rows.users ?? 0, "account")} with ${counted(count, "file")} went into ${folder}`;
  },
});
