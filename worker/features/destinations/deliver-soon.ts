import { hasWaitingFiles } from "../../../db/queries/file-deliveries";
import type { Dependencies } from "../../dependencies";

/** Starts delivering what is due, without waiting for the result. */
export function deliverFilesSoon(deps: Dependencies): void {
  deps.background.run("file deliveries", async () => {
    if (await hasWaitingFiles(deps.db)) await (await import("./deliver-files")).deliverFiles(deps);
  });
}
