import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ErrorCode } from "../../../worker/contract/errors";
import { Tabs } from "../../components/ui/tabs";
import { toast } from "../../components/ui/toast-store";
import { usePageTitle } from "../../lib/use-page-title";
import { AuthFrame } from "./auth-frame";
import { CredentialsForm } from "./credentials-form";
import { ForgotForm } from "./forgot-form";
import { Providers } from "./providers";

const KINDS = ["signIn", "createAccount"] as const;

type AuthPageProps = {
  forgot: boolean;
  /** The visitor was sent here from a page that needs somebody signed in. */
  returning: boolean;
  /** The code of what went wrong at another service. */
  failure: string | undefined;
  onDone: () => void;
};

export function AuthPage({ forgot, returning, failure, onDone }: AuthPageProps) {
  const { t } = useTranslation("auth");
  const [tab, setTab] = useState(0);
  const [email, setEmail] = useState("");
  usePageTitle(t("title"));
  useFailureToast(failure);
  if (forgot) {
    return (
      <AuthFrame>
        <ForgotForm email={email} />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame>
      <h1 className="mb-6 text-2xl">{tab === 0 ? t("welcome") : t("welcomeNew")}</h1>
      {returning && (
        <p className="mb-6 rounded-control bg-accent-soft px-3 py-2 text-accent">{t("signInFirst")}</p>
      )}
      <Tabs
        label={t("tabs")}
        selected={tab}
        onSelect={setTab}
        tabs={KINDS.map((kind) => ({
          label: t(kind),
          content: <CredentialsForm kind={kind} email={email} onEmail={setEmail} onDone={onDone} />,
        }))}
      />
      <Providers />
    </AuthFrame>
  );
}

/** Tells on arrival why the other service did not sign the visitor in. */
function useFailureToast(code: string | undefined): void {
  const { t, i18n } = useTranslation(["auth", "errors", "common"]);
  useEffect(() => {
    if (!code) return;
    const known = i18n.exists(code, { ns: "errors" });
    toast({
      title: t("auth:loginFailed"),
      text: known ? t(`errors:${code as ErrorCode}`) : t("common:failure.unknown"),
      destructive: true,
    });
  }, [code, t, i18n]);
}
