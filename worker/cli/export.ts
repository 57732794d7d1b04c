import type { Variables } from "../config";
import { requireOwnStore } from "../features/files/store-owner";
import { contentOf } from "./archive/archive-folder";
import { exportArchive } from "./archive/export-archive";
import { runCommand } from "./archive-command";
import { backUp, recordBackup } from "./backup";
import { requireSecretKeys } from "./secret-keys";
import { openStores } from "./stores";

await runCommand({
  usage: "bun run export [--worker | --remote] [--with-key] <new folder>",
  async run({ kind, variables }, folder, { withKey }) {
    const manifest =
      kind === "bun"
        ? (await backUp(variables, folder, { withKey })).manifest
        : await exportWorker(kind, variables, folder, withKey);
    return { text: `${contentOf(manifest)} written to ${folder}`, problems: manifest.problems };
  },
});

async function exportWorker(
  kind: "worker" | "remote",
  variables: Variables,
  folder: string,
  withKey: boolean,
) {
  const secretKeys = withKey ? await requireSecretKeys(variables) : [];
  const { close, ...stores } = await openStores(kind, variables);
  try {
    await requireOwnStore(stores);
    const manifest = await exportArchive(
      { files: stores.files, rows: async () => stores.db, secretKeys },
      folder,
    );
    await recordBackup(stores.db, manifest);
    return manifest;
  } finally {
    await close();
  }
}
