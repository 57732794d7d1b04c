import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "#translation";
import { Button, buttonClass } from "../../components/ui/button";
import { Spinner } from "../../components/ui/spinner";
import { errorText } from "../../lib/error-text";
import { usePageTitle } from "../../lib/use-page-title";
import {
  type ProviderQuestion,
  providerConfirmationQuery,
  useConfirmProvider,
  useProviderName,
} from "./auth.queries";
import { ACTION, Intro } from "./auth-layout";

/**
 * Asks somebody who is signed in, and comes back from a provider, whether to link it or to sign in with it instead: another
 * site may have led them there, with an account that is not theirs.
 */
export function ProviderConfirmation() {
  const { data, error } = useQuery(providerConfirmationQuery);
  const confirm = useConfirmProvider();
  const failure = error ?? confirm.error;
  if (failure) return <Failure error={failure} />;
  return data ? <Question question={data} confirm={confirm} /> : <Spinner />;
}

type QuestionProps = { question: ProviderQuestion; confirm: ReturnType<typeof useConfirmProvider> };

function Question({ question, confirm }: QuestionProps) {
  const { t } = useTranslation("auth");
  const { id, purpose, account, email, next } = question;
  const facts = { provider: useProviderName()(question.provider), account, email };
  const title = t(`confirmProvider.${purpose}.title`, facts);
  usePageTitle(title);
  return (
    <>
      <Intro title={title}>{t(`confirmProvider.${purpose}.text`, facts)}</Intro>
      <Button {...ACTION} loading={confirm.isPending || confirm.isSuccess} onClick={() => confirm.mutate(id)}>
        {t(`confirmProvider.${purpose}.submit`, facts)}
      </Button>
      <a href={next} className={buttonClass({ size: "lg", className: "mt-2 w-full" })}>
        {t(`confirmProvider.${purpose}.cancel`, facts)}
      </a>
    </>
  );
}

function Failure({ error }: { error: Error }) {
  const { t, i18n } = useTranslation(["auth", "errors", "validation"]);
  const title = t("confirmProvider.failed");
  usePageTitle(title);
  return (
    <>
      <Intro title={title}>{errorText(error, i18n.t)}</Intro>
      <a href="/" className={buttonClass(ACTION)}>
        {t("verify.continue")}
      </a>
    </>
  );
}
