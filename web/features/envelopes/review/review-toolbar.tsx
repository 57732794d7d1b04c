import { ArrowLeft, ArrowRight, Download, RotateCw, Scan, ZoomIn, ZoomOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button";
import { useFormat } from "../../../lib/use-format";
import type { ReviewCommands } from "./use-review-keys";

type ReviewToolbarProps = {
  commands: ReviewCommands;
  zoom: number;
  position: number;
  count: number;
  /** Whether the file can be enlarged and rotated. */
  viewable: boolean;
  downloadable: boolean;
  /** The page in view, of a PDF. */
  page: string;
};

export function ReviewToolbar(props: ReviewToolbarProps) {
  const { commands, zoom, position, count, viewable, downloadable, page } = props;
  const { t } = useTranslation(["review", "envelopes"]);
  const format = useFormat();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-1.5 max-sm:gap-x-1 max-sm:px-2">
      <div className="flex items-center gap-0.5">
        <IconButton label={t("mode.previous")} icon={ArrowLeft} side="bottom" onClick={commands.previous} />
        <span className="whitespace-nowrap text-ink-soft text-xs tabular-nums">
          {t("mode.position", { position, count })}
        </span>
        <IconButton label={t("mode.next")} icon={ArrowRight} side="bottom" onClick={commands.next} />
      </div>
      {viewable && (
        <div className="flex items-center gap-0.5 max-sm:order-1">
          <IconButton label={t("mode.zoomOut")} icon={ZoomOut} side="bottom" onClick={commands.zoomOut} />
          <span className="w-10 text-center text-ink-soft text-xs tabular-nums">{format.percent(zoom)}</span>
          <IconButton label={t("mode.zoomIn")} icon={ZoomIn} side="bottom" onClick={commands.zoomIn} />
          <IconButton label={t("mode.fit")} icon={Scan} side="bottom" onClick={commands.fit} />
          <IconButton label={t("mode.rotate")} icon={RotateCw} side="bottom" onClick={commands.rotate} />
        </div>
      )}
      <span className="text-ink-soft text-xs tabular-nums max-sm:order-1">{page}</span>
      {downloadable && (
        <span className="ml-auto">
          <IconButton
            label={t("envelopes:detail.download")}
            icon={Download}
            side="bottom"
            onClick={commands.download}
          />
        </span>
      )}
    </div>
  );
}
