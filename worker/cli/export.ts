import { exportArchive } from "./archive/export-archive";
import { runCommand } from "./archive-command";
import { pluralize } from "./messages";

await runCommand({
  usage: "bun run export [--worker | --remote] <new folder>",
  async run({ db, files }, folder) {
    const { rows, files: count } = await exportArchive({ files, rows: async () => db }, folder);
    return `${pluralize(rows.users ?? 0, "account")} with ${pluralize(count, "file")} written to ${folder}`;
  },
});
