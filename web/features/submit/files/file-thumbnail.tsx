import { FileText } from "lucide-react";
import { useEffect, useState } from "react";
import { extensionOf } from "../../../../worker/contract/files";
import type { FileEntry } from "./document-files";

const PREVIEWABLE = new Set(["jpg", "jpeg", "png", "gif", "webp"]);
/** Decoding larger pictures takes too much memory on an old phone. */
const MAX_PREVIEW_BYTES = 15 * 1024 * 1024;

/** A preview of an image chosen on this page, so that a wrong photo is noticed; an icon for other files. */
export function FileThumbnail({ entry: { file } }: { entry: FileEntry }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file || !PREVIEWABLE.has(extensionOf(file.name)) || file.size > MAX_PREVIEW_BYTES) return;
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => {
      setUrl(null);
      URL.revokeObjectURL(objectUrl);
    };
  }, [file]);
  return (
    <span className="flex size-11 shrink-0 items-center justify-center overflow-hidden rounded-md border border-line bg-surface text-ink-soft">
      {url ? (
        <img
          src={url}
          alt=""
          decoding="async"
          onError={() => setUrl(null)}
          className="size-full object-cover"
        />
      ) : (
        <FileText aria-hidden className="size-5" />
      )}
    </span>
  );
}
