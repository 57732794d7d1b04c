import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { scanUploads } from "../files/scanning";
import type { ReceivedFile } from "./submission-files";

/**
 * Has the files looked at, where there is a scanner.
 * @returns those to be held back, since nothing is known of them
 * @throws AppError `infected_file`
 */
export async function scanReceived(
  deps: Dependencies,
  received: readonly ReceivedFile[],
): Promise<ReadonlySet<ReceivedFile>> {
  const verdicts = await scanUploads(
    deps,
    received.map(({ file }) => file.key),
  );
  const found = received.find((_, index) => verdicts?.[index]?.kind === "infected");
  if (found) throw appError("infected_file", { params: { document: found.document.name } });
  return new Set(received.filter((_, index) => verdicts?.[index]?.kind === "unknown"));
}
