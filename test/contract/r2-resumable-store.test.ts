import { setDefaultTimeout } from "bun:test";
import { openWorkerdFileStore } from "../support/runtime/workerd-file-store";
import { resumableStoreSuite } from "./resumable-store-suite";

setDefaultTimeout(240_000);

resumableStoreSuite("R2 in workerd", async () => {
  const files = await openWorkerdFileStore();
  return {
    files,
    store: files.resumable,
    other: files.resumable,
    openUploads: files.openUploads,
    close: () => {},
  };
});
