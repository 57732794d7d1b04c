import { Link } from "@tanstack/react-router";
import { FolderX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../components/ui/button";
import { Notice } from "../../components/ui/notice";

export default function StoppedDestinationNotice() {
  const { t } = useTranslation("destinations");
  return (
    <Notice
      icon={FolderX}
      title={t("stopped.title")}
      action={
        <Link to="/integrations" hash="destinations" className={buttonClass()}>
          {t("stopped.open")}
        </Link>
      }
    >
      <p className="text-ink-soft">{t("stopped.text")}</p>
    </Notice>
  );
}
