import { WifiOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useOnline } from "../../lib/use-online";

/** A notice at the top while the browser is offline. */
export function OfflineNotice() {
  const { t } = useTranslation();
  const online = useOnline();
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-center text-warn">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {t("offline")}
        </p>
      )}
    </div>
  );
}
