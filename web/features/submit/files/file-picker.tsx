import { Camera, Upload } from "lucide-react";
import type { RefObject } from "react";
import { Button } from "../../../components/ui/button";
import { cx } from "../../../lib/cx";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { acceptAttribute, acceptsImages, cameraAttribute } from "./check-file";

type FilePickerProps = {
  ref: RefObject<HTMLInputElement | null>;
  document: RequestedDocument;
  labelledBy: string;
  describedBy: string;
  invalid: boolean;
  dropping: boolean;
  /** The document takes no more files; the input stays in the page for Replace. */
  hidden: boolean;
  onFiles: (files: readonly File[]) => void;
};

/** A native file input, styled as a drop zone. */
export function FilePicker(props: FilePickerProps) {
  const { ref, document, labelledBy, describedBy, invalid, dropping, hidden, onFiles } = props;
  const { t } = useTexts();
  return (
    <>
      <label
        className={
          hidden
            ? "sr-only"
            : cx(
                "relative flex cursor-pointer items-center gap-3 rounded-control border border-dashed px-4 py-3.5 transition-colors duration-150",
                "has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-2",
                dropping ? "border-accent" : "border-line-strong bg-sunken hover:border-accent",
              )
        }
      >
        <input
          ref={ref}
          type="file"
          multiple={document.multiple}
          accept={acceptAttribute(document)}
          aria-labelledby={labelledBy}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
          required={document.required}
          tabIndex={hidden ? -1 : undefined}
          className="sr-only"
          onClick={(event) => {
            // Lets the same file be chosen again.
            event.currentTarget.value = "";
          }}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            if (files.length > 0) onFiles(files);
          }}
        />
        <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent-text">
          <Upload aria-hidden className="size-5" />
        </span>
        <span className="min-w-0">
          {dropping ? (
            <span className="font-medium text-accent-text">{t("documents.dropNow")}</span>
          ) : (
            <>
              <span className="block font-medium text-accent-text">
                {t(document.multiple ? "documents.chooseSeveral" : "documents.choose")}
              </span>
              <span className="block text-ink-soft text-sm touch:hidden">
                {t(document.multiple ? "documents.orDropSeveral" : "documents.orDrop")}
              </span>
            </>
          )}
        </span>
      </label>
      {acceptsImages(document) && !hidden && (
        <Button
          size="lg"
          className="mt-2 w-full not-touch:hidden"
          aria-describedby={labelledBy}
          onClick={() => ref.current && openCamera(ref.current, document)}
        >
          <Camera aria-hidden />
          {t("documents.takePhoto")}
        </Button>
      )}
    </>
  );
}

/** Opens the camera with the same input, so that each document has one. Phones read the attributes when it opens. */
function openCamera(input: HTMLInputElement, document: RequestedDocument): void {
  input.setAttribute("capture", "environment");
  input.accept = cameraAttribute(document);
  input.multiple = false;
  input.click();
  input.removeAttribute("capture");
  input.accept = acceptAttribute(document);
  input.multiple = document.multiple;
}
