import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "#translation";
import { Button } from "../../components/ui/button";
import { Spinner } from "../../components/ui/spinner";
import { ApiError } from "../../lib/api";
import { errorText } from "../../lib/error-text";
import { usePageTitle } from "../../lib/use-page-title";
import { unsubscriptionQuery, useUnsubscribe } from "./auth.queries";
import { ACTION, AuthLayout, Intro } from "./auth-layout";

/** The link in a mail to a recipient: its button, and not opening it, stops the mails of the sender. */
export function UnsubscribePage({ token }: { token: string }) {
  const { t, i18n } = useTranslation(["auth", "errors", "validation"]);
  const { data, error } = useQuery(unsubscriptionQuery(token));
  const change = useUnsubscribe(token);
  usePageTitle(t("unsubscribe.title"));
  const isStopped = Boolean(data?.unsubscribedAt);
  const failure = error ?? change.error;
  const title = isStopped ? "done" : change.isSuccess ? "allowed" : undefined;
  const sender = data ? nameOf(data.sender) : "";
  return (
    <AuthLayout>
      <Intro
        title={error ? t("verify.failedTitle") : t(title ? `unsubscribe.${title}Title` : "unsubscribe.title")}
      >
        {failure
          ? isGone(failure)
            ? t("unsubscribe.gone")
            : errorText(failure, i18n.t)
          : data && t(title ? `unsubscribe.${title}Text` : "unsubscribe.text", { sender })}
      </Intro>
      {!data && !error && <Spinner />}
      {data && (
        <Button
          {...ACTION}
          variant={isStopped ? "secondary" : "primary"}
          loading={change.isPending}
          onClick={() => change.mutate(!isStopped)}
        >
          {t(isStopped ? "unsubscribe.allow" : "unsubscribe.submit")}
        </Button>
      )}
    </AuthLayout>
  );
}

const isGone = (error: unknown) => error instanceof ApiError && error.code === "invalid_token";

type Sender = Record<"firstName" | "lastName" | "companyName", string | null> & { email: string };

/** Name or company with the address, as the mails name the sender. */
function nameOf({ firstName, lastName, companyName, email }: Sender): string {
  const name = [firstName, lastName].filter(Boolean).join(" ") || companyName;
  return name ? `${name} (${email})` : email;
}
