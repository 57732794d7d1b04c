import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Tabs } from "../../components/ui/tabs";
import { usePageTitle } from "../../lib/use-page-title";
import { AuthFrame } from "./auth-layout";
import type { SignInAddress } from "./auth-url";
import { CredentialsForm } from "./credentials-form";
import { ForgotForm } from "./forgot-form";
import { Providers } from "./providers";
import { useArrivalToast } from "./use-redirect-toast";

const KINDS = ["signIn", "createAccount"] as const;

type AuthPageProps = {
  address: SignInAddress;
  /** The page speaks the visitor's language. */
  spoken: boolean;
};

export function AuthPage({ address, spoken }: AuthPageProps) {
  const { t } = useTranslation("auth");
  const [tab, setTab] = useState(0);
  const [email, setEmail] = useState("");
  usePageTitle(t("title"));
  useArrivalToast(address, spoken);
  if (address.view === "forgot") {
    return (
      <AuthFrame>
        <ForgotForm email={email} next={address.next} />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame>
      <h1 className="mb-6 text-2xl">{tab === 0 ? t("welcome") : t("welcomeNew")}</h1>
      {address.next && (
        <p className="mb-6 rounded-control bg-accent-soft px-3 py-2 text-accent">{t("signInFirst")}</p>
      )}
      <Tabs
        label={t("tabs")}
        selected={tab}
        onSelect={setTab}
        tabs={KINDS.map((kind) => ({
          label: t(kind),
          content: <CredentialsForm kind={kind} email={email} onEmail={setEmail} next={address.next} />,
        }))}
      />
      <Providers />
    </AuthFrame>
  );
}
