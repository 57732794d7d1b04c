import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../components/ui/button";
import { LogoMark } from "../components/ui/logo";
import { usePageTitle } from "../lib/use-page-title";

export function NotFoundRoute() {
  const { t } = useTranslation();
  usePageTitle(t("notFound.title"));
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center p-6 text-center">
      <LogoMark className="mb-6 size-16" />
      <h1 className="text-2xl">{t("notFound.title")}</h1>
      <p className="mt-2 text-ink-soft">{t("notFound.text")}</p>
      <Link to="/" className={buttonClass({ variant: "primary", className: "mt-8" })}>
        {t("notFound.home")}
      </Link>
    </main>
  );
}
