import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../components/ui/button";
import { api } from "../../lib/api";

/** A plain link: the browser streams the download to disk and shows its progress. */
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
