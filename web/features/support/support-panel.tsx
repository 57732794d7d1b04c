import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";

/** The help chat: beside the page, never over it as a modal. */
export function SupportPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["support", "common"]);
  return (
    <section
      aria-label={t("title")}
      className="rise fixed right-4 bottom-4 z-20 flex max-h-[70vh] w-90 max-w-[calc(100vw-2rem)] flex-col rounded-card border border-line bg-surface p-4 shadow-float"
    >
      <div className="flex items-center justify-between">
        <h2 className="text-lg">{t("title")}</h2>
        <IconButton icon={X} label={t("common:close")} onClick={onClose} />
      </div>
    </section>
  );
}
