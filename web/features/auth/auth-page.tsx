import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SignUpMode } from "../../../worker/contract/administration";
import { Tabs } from "../../components/ui/tabs";
import { usePageTitle } from "../../lib/use-page-title";
import { AuthLayout } from "./auth-layout";
import type { SignInUrl } from "./auth-url";
import { CredentialsForm } from "./credentials-form";
import { ForgotForm } from "./forgot-form";
import { Providers } from "./providers";
import { useRedirectToast } from "./use-redirect-toast";

const KINDS = ["signIn", "createAccount"] as const;

type AuthPageProps = {
  url: SignInUrl;
  /** Whether the page is in the visitor's language yet. */
  translated: boolean;
  /** Who may create an account. */
  signUp: SignUpMode;
};

export function AuthPage({ url, translated, signUp }: AuthPageProps) {
  const { t } = useTranslation("auth");
  const [tab, setTab] = useState(0);
  const [email, setEmail] = useState("");
  usePageTitle(t("title"));
  useRedirectToast(url, translated);
  if (url.view === "forgot") {
    return (
      <AuthLayout>
        <ForgotForm email={email} next={url.next} />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout>
      <h1 className="mb-6 text-2xl">{tab === 0 ? t("welcome") : t("welcomeNew")}</h1>
      {url.next && (
        <p className="mb-6 rounded-control bg-accent-soft px-3 py-2 text-accent">{t("signInFirst")}</p>
      )}
      <Tabs
        label={t("tabs")}
        selected={tab}
        onSelect={setTab}
        tabs={KINDS.map((kind) => ({
          label: t(kind),
          content:
            kind === "createAccount" && signUp !== "open" ? (
              <p className="text-ink-soft">
                {t(signUp === "invite" ? "signUpByInvitation" : "signUpClosed")}
              </p>
            ) : (
              <CredentialsForm kind={kind} email={email} onEmail={setEmail} next={url.next} />
            ),
        }))}
      />
      <Providers />
    </AuthLayout>
  );
}
