import { type ErrorComponentProps, Link, Outlet, useRouter } from "@tanstack/react-router";
import { type ReactNode, Suspense, use } from "react";
import { useTranslation } from "react-i18next";
import { RootLayout } from "../components/layout/root-layout";
import { InShell } from "../components/layout/shell";
import { buttonClass } from "../components/ui/button";
import { LogoMark } from "../components/ui/logo";
import { ErrorState } from "../components/ui/query-placeholder";
import { Spinner } from "../components/ui/spinner";
import { ApiError } from "../lib/api";
import { errorText, isMissingScript } from "../lib/error-text";
import { usePageTitle } from "../lib/use-page-title";

export function RootRoute() {
  return (
    <RootLayout>
      <Suspense fallback={<LoadingRoute />}>
        <Outlet />
      </Suspense>
    </RootLayout>
  );
}

export function LoadingRoute() {
  const { t } = useTranslation();
  return (
    <div className="flex min-h-[60dvh] items-center justify-center text-ink-soft">
      <Spinner label={t("loading")} />
    </div>
  );
}

/** The page's only `main`: in the shell, which has one, no other. */
function Main({ className, children }: { className: string; children: ReactNode }) {
  const Element = use(InShell) ? "div" : "main";
  return <Element className={className}>{children}</Element>;
}

export function NotFoundRoute() {
  const { t } = useTranslation();
  usePageTitle(t("notFound.title"));
  return (
    <Main className="flex min-h-dvh flex-col items-center justify-center p-6 text-center">
      <LogoMark className="mb-6 size-16" />
      <h1 className="text-2xl">{t("notFound.title")}</h1>
      <p className="mt-2 text-ink-soft">{t("notFound.text")}</p>
      <Link to="/" className={buttonClass({ variant: "primary", className: "mt-8" })}>
        {t("notFound.home")}
      </Link>
    </Main>
  );
}

/** Shown if a page could not be loaded. */
export function FailedRoute({ error, reset }: ErrorComponentProps) {
  const { t, i18n } = useTranslation(["common", "errors", "validation"]);
  const router = useRouter();
  // Otherwise it is perhaps a chunk that a newer deployment has removed.
  const isFromServer = error instanceof ApiError;
  const retry = () => {
    if (!isFromServer) return location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <Main className="mx-auto max-w-xl p-6">
      <h1 className="sr-only">{t("failed.title")}</h1>
      <ErrorState
        title={t("failed.title")}
        text={isFromServer || isMissingScript(error) ? errorText(error, i18n.t) : t("crash.text")}
        onRetry={retry}
        {...(!isFromServer && { retryLabel: t("crash.reload") })}
      />
    </Main>
  );
}
