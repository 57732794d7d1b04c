import type { Variables } from "../config";
import { requireOwnStore } from "../features/files/store-owner";
import { contentOf } from "./archive/archive-folder";
import { exportArchive } from "./archive/export-archive";
import { runCommand } from "./archive-command";
import { backUp } from "./backup";
import { recordBackup } from "./record-backup";
import { openStores } from "./stores";

await runCommand({
  usage: "bun run export [--worker | --remote] <new folder>",
  async run({ kind, variables }, folder) {
    const manifest =
      kind === "bun"
        ? (await backUp(variables, folder)).manifest
        : await exportWorker(kind, variables, folder);
    return { text: `${contentOf(manifest)} written to ${folder}`, problems: manifest.problems };
  },
});

async function exportWorker(kind: "worker" | "remote", variables: Variables, folder: string) {
  const { close, ...stores } = await openStores(kind, variables);
  try {
    await requireOwnStore(stores);
    const manifest = await exportArchive({ files: stores.files, rows: async () => stores.db }, folder);
    await recordBackup(stores.db, manifest);
    return manifest;
  } finally {
    await close();
  }
}
