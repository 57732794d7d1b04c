import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../components/ui/button";
import { api } from "../../lib/api";

/** A link, so that the browser shows the download's progress and nothing has to fit into its memory. */
export function DataExport() {
  const { t } = useTranslation("profile");
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-ink-soft">{t("data.what")}</p>
      <a href={api.user.export.$url().pathname} download className={buttonClass()}>
        <Download aria-hidden />
        {t("data.download")}
      </a>
    </div>
  );
}
