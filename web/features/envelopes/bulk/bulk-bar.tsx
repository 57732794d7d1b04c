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
          className="rise sticky bottom-3 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center justify-center gap-x-2 gap-y-1.5 rounded-card border border-line bg-surface px-3 py-2 shadow-float short:static"
        >
          <span className="px-1 font-medium tabular-nums" aria-hidden>
            {t("bulk.selected", { count })}
          </span>
          <IconButton icon={X} label={t("bulk.clear")} onClick={onClear} />
          {ACTIONS.map(({ action, icon: Icon }, index) => (
            <Button
              key={action}
              id={index === 0 ? FIRST_BULK_ACTION : undefined}
              size="sm"
              onClick={() => onAction(action)}
            >
              <Icon aria-hidden />
              {t(`bulk.${action}.action`)}
            </Button>
          ))}
        </fieldset>
      )}
    </>
  );
}
