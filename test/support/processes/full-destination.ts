/** Runs with a limit on file sizes, which has the same effect as a full disk. */
import { createFolderDestination } from "../../../worker/adapters/bun/destinations/folder";
import { accessTo, outgoing } from "../../contract/destination-suite";

const destination = createFolderDestination(process.env.FOLDER ?? "");
const access = accessTo({ access: { settings: { path: "" }, credentials: {} } });
for (const size of [4 * 1024 * 1024, 10])
  process.stdout.write(
    `${(await destination.put(access, outgoing(new Uint8Array(size), { folder: [], name: `${size}.pdf` }))).kind}\n`,
  );
