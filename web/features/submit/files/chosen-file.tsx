import { RefreshCw, X } from "lucide-react";
import type { Ref } from "react";
import { Button } from "../../../components/ui/button";
import { useTexts } from "../translation/use-texts";
import { FileThumbnail } from "./file-thumbnail";

type ChosenFileProps = {
  /** The Replace button. */
  ref: Ref<HTMLButtonElement>;
  document: string;
  file: File;
  onReplace: () => void;
  onRemove: () => void;
};

export function ChosenFile({ ref, document, file, onReplace, onRemove }: ChosenFileProps) {
  const { t } = useTexts();
  return (
    <div className="rounded-control border border-line bg-sunken p-3">
      <FileLine file={file} />
      <div className="mt-3 flex flex-wrap gap-x-1 gap-y-2">
        <Button
          ref={ref}
          onClick={onReplace}
          className="px-2.5 max-[359px]:px-1.5"
          aria-label={t("documents.replaceNamed", { name: document })}
        >
          <RefreshCw aria-hidden />
          {t("documents.replace")}
        </Button>
        <Button
          variant="ghost"
          className="px-2.5 max-[359px]:px-1.5"
          onClick={onRemove}
          aria-label={t("documents.removeNamed", { name: document })}
        >
          <X aria-hidden />
          {t("documents.remove")}
        </Button>
      </div>
    </div>
  );
}

/** Preview, name and size. */
export function FileLine({ file }: { file: File }) {
  const { size } = useTexts();
  return (
    <div className="flex min-w-0 items-center gap-3">
      <FileThumbnail file={file} />
      <div className="min-w-0">
        <p className="font-medium text-sm leading-5 [overflow-wrap:anywhere]">{file.name}</p>
        <p className="text-ink-soft text-sm leading-5 tabular-nums">{size(file.size)}</p>
      </div>
    </div>
  );
}
