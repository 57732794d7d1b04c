import { Bell, Download, Trash2, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { IconButton } from "../../../components/ui/icon-button";
import type { BulkAction } from "./bulk-actions";
import { BULK_KEYS, FIRST_BULK_ACTION } from "./select-row";

type BulkBarProps = { count: number; onAction: (action: BulkAction) => void; onClear: () => void };

const ACTIONS = [
  { action: "remind", icon: Bell },
  { action: "download", icon: Download },
  { action: "delete", icon: Trash2 },
] as const;

/** The actions for the selected rows. It floats at the bottom while rows are selected. */
export function BulkBar({ count, onAction, onClear }: BulkBarProps) {
  const { t } = useTranslation("envelopes");
  return (
    <>
      <p id={BULK_KEYS} className="sr-only">
        {t("bulk.keys")}
      </p>
      <p role="status" className="sr-only">
        {count > 0 && t("bulk.selected", { count })}
      </p>
      {count > 0 && (
        <fieldset
          aria-label={t("bulk.label")}
          className="rise sticky bottom-3 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center justify-center gap-x-2 gap-y-1.5 rounded-card border border-line bg-surface py-2 pr-3 pl-2 max-[379px]:gap-x-1 max-[379px]:pr-2 shadow-float short:static"
        >
          <IconButton icon={X} label={t("bulk.clear")} onClick={onClear} />
          <span className="mr-1 font-medium tabular-nums max-[379px]:text-xs" aria-hidden>
            {t("bulk.selected", { count })}
          </span>
          {ACTIONS.map(({ action, icon: Icon }, index) => (
            <Button
              key={action}
              id={index === 0 ? FIRST_BULK_ACTION : undefined}
              size="sm"
              className="max-[379px]:px-2"
              onClick={() => onAction(action)}
            >
              <Icon aria-hidden />
              <span className="max-[379px]:sr-only">{t(`bulk.${action}.action`)}</span>
            </Button>
          ))}
        </fieldset>
      )}
    </>
  );
}
