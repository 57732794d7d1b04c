import { Camera, Upload } from "lucide-react";
import type { Ref } from "react";
import { cx } from "../../../lib/cx";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { acceptAttribute, acceptsImages } from "./check-file";

type FilePickerProps = {
  ref: Ref<HTMLInputElement>;
  document: RequestedDocument;
  labelledBy: string;
  describedBy: string;
  invalid: boolean;
  dropping: boolean;
  /** A chosen file is shown instead; the input stays in the page for Replace. */
  hidden: boolean;
  onFiles: (files: readonly File[]) => void;
};

/** A native file input, styled as a drop zone. */
export function FilePicker(props: FilePickerProps) {
  const { ref, document, labelledBy, describedBy, invalid, dropping, hidden, onFiles } = props;
  const { t } = useTexts();
  const images = acceptsImages(document);
  return (
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
      <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent">
        <Upload aria-hidden className={cx("size-5", images && "touch:hidden")} />
        {images && <Camera aria-hidden className="hidden size-5 touch:block" />}
      </span>
      <span className="min-w-0">
        {dropping ? (
          <span className="font-medium text-accent">{t("documents.dropNow")}</span>
        ) : (
          <>
            <span className={cx("block font-medium text-accent", images && "touch:hidden")}>
              {t("documents.choose")}
            </span>
            {images && (
              <span className="hidden font-medium text-accent touch:block">{t("documents.photo")}</span>
            )}
            <span className="block text-ink-soft text-sm touch:hidden">{t("documents.orDrop")}</span>
          </>
        )}
      </span>
    </label>
  );
}
