import { importUntilLoaded } from "../import-until-loaded";
import type { UploadEvents } from "./file-upload";
import type { Uploader } from "./uploader";

export type Uploads = Omit<Uploader, "stop"> & {
  /** Loads the uploader, which comes with tus-js-client. */
  open: () => void;
};

/** The uploader, loaded when it is first needed. */
export function createUploads(token: string, events: UploadEvents): Uploads {
  let opening: Promise<Uploader> | undefined;
  const open = () => {
    opening ??= importUntilLoaded(() => import("./uploader")).then(({ createUploader }) =>
      createUploader(token, events),
    );
    return opening;
  };
  return {
    open: () => void open(),
    add: (job) => void open().then((uploader) => uploader.add(job)),
    remove: (documentId, file) => void open().then((uploader) => uploader.remove(documentId, file)),
    idle: async () => (await opening)?.idle(),
  };
}
