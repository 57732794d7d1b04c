import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "#translation";
import { Spinner } from "../../components/ui/spinner";
import { usePageTitle } from "../../lib/use-page-title";
import { sessionQuery } from "./auth.queries";
import { AuthLayout, Intro } from "./auth-layout";
import { CredentialsForm } from "./credentials-form";
import { BackToSignIn } from "./forgot-form";

/**
 * The page of the setup link: creates the first account of a server, which is its administrator. Once there is one, the
 * form would create an ordinary account.
 */
export function SetupPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const [email, setEmail] = useState("");
  const { data, isPending } = useQuery(sessionQuery);
  const isOver = data !== undefined && data.signUp !== "setup";
  usePageTitle(t("setup.title"));
  return (
    <AuthLayout>
      <Intro title={t("setup.title")}>{isOver ? t("setup.over") : t("setup.text")}</Intro>
      {isPending && <Spinner />}
      {!isPending && !isOver && (
        <CredentialsForm
          kind="createAccount"
          email={email}
          onEmail={setEmail}
          next={undefined}
          setupToken={token}
        />
      )}
      <BackToSignIn />
    </AuthLayout>
  );
}
