import { useTranslation } from "react-i18next";
import { Spinner } from "../components/ui/spinner";

export function LoadingRoute() {
  const { t } = useTranslation();
  return (
    <div className="flex min-h-[60dvh] items-center justify-center text-ink-soft">
      <Spinner label={t("loading")} />
    </div>
  );
}
