import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useEffect, useState } from "react";
import { i18n, useTranslation } from "#translation";
import type { SignUpState } from "../../../worker/contract/auth";
import type { ErrorCode } from "../../../worker/contract/errors";
import { Button } from "../../components/ui/button";
import { Spinner } from "../../components/ui/spinner";
import { Tabs } from "../../components/ui/tabs";
import { toast } from "../../components/ui/toast-store";
import { hasDraft } from "../../lib/session-draft";
import { usePageTitle } from "../../lib/use-page-title";
import { canSuggestPasskeys, hasWebAuthn, suggestPasskeys } from "../../lib/webauthn";
import { type PasskeyUse, passkeyOptionsQuery, type SecondStep, usePasskeySignIn } from "./auth.queries";
import { AuthLayout } from "./auth-layout";
import { authPath, type SignInUrl, updateUrl } from "./auth-url";
import { CredentialsForm } from "./credentials-form";
import { pages } from "./load-pages";
import { Providers } from "./providers";

const KINDS = ["signIn", "createAccount"] as const;

/** Why nobody can create an account here. */
const CLOSED = {
  invite: "signUpByInvitation",
  administrators: "signUpByInvitation",
  off: "signUpClosed",
  setup: "signUpBySetupLink",
} as const satisfies Record<Exclude<SignUpState, "open" | "domains">, string>;

type AuthPageProps = {
  url: SignInUrl;
  /** Whether the page is in the visitor's language yet. */
  translated: boolean;
  signUp: SignUpState;
  /** Whether nobody has an account yet. */
  isFirst: boolean;
  /** Whether passwords sign in; otherwise only the other ways are offered. */
  allowsPasswords: boolean;
};

export function AuthPage({ url, translated, signUp, isFirst, allowsPasswords }: AuthPageProps) {
  const { t } = useTranslation("auth");
  const [tab, setTab] = useState(0);
  const [email, setEmail] = useState("");
  const [step, setStep] = useState<SecondStep | null>(null);
  const later = pages.use();
  usePageTitle(t("title"));
  useRedirectToast(url, translated);
  if (url.view === "forgot" && allowsPasswords) {
    return (
      <AuthLayout>{later ? <later.ForgotForm email={email} next={url.next} /> : <Spinner />}</AuthLayout>
    );
  }
  if (url.view === "confirm") {
    return <AuthLayout>{later ? <later.ProviderConfirmation /> : <Spinner />}</AuthLayout>;
  }
  if (step) {
    return (
      <AuthLayout>
        {later ? (
          <later.SecondStepForm step={step} next={url.next} onBack={() => setStep(null)} />
        ) : (
          <Spinner />
        )}
      </AuthLayout>
    );
  }
  return (
    <AuthLayout>
      <h1 className="mb-6 text-2xl">{tab === 0 ? t("welcome") : t("welcomeNew")}</h1>
      {url.next && (
        <div className="mb-6 rounded-control bg-accent-soft px-3 py-2 text-accent">
          <p>{t("signInFirst")}</p>
          {hasDraft() && <p>{t("inputKept")}</p>}
        </div>
      )}
      {allowsPasswords ? (
        <Tabs
          label={t("tabs")}
          selected={tab}
          onSelect={setTab}
          tabs={KINDS.map((kind) => ({
            label: t(kind),
            content:
              kind === "createAccount" && signUp !== "open" ? (
                <ClosedSignUp signUp={signUp} email={email} />
              ) : (
                <CredentialsForm
                  kind={kind}
                  email={email}
                  onEmail={setEmail}
                  next={url.next}
                  onSecondStep={setStep}
                />
              ),
          }))}
        />
      ) : (
        <p className="text-ink-soft">{t("passwordsOff")}</p>
      )}
      {isFirst && tab === 0 && (
        <p className="mt-4 rounded-control bg-accent-soft px-3 py-2">
          <span>{t("noAccount")} </span>
          <button
            type="button"
            className="font-medium text-accent underline"
            onClick={() => {
              setTab(1);
              requestAnimationFrame(() => document.querySelector<HTMLElement>("[name=email]")?.focus());
            }}
          >
            {t("createFirst")}
          </button>
        </p>
      )}
      <PasskeySignIn next={url.next} />
      <Providers next={url.next} />
    </AuthLayout>
  );
}

/** Why nobody registers here or, where the domain of the address decides, the form that asks for a link. */
function ClosedSignUp({ signUp, email }: { signUp: Exclude<SignUpState, "open">; email: string }) {
  const { t } = useTranslation("auth");
  const later = pages.use();
  if (signUp !== "domains") return <p className="text-ink-soft">{t(CLOSED[signUp])}</p>;
  return later ? <later.SignUpByMailForm email={email} /> : <Spinner />;
}

/** Shows a toast for the result in the URL, once the page is `translated`. */
function useRedirectToast({ error, deleted, next }: SignInUrl, translated: boolean): void {
  useEffect(() => {
    if (!translated || !(error || deleted)) return;
    if (deleted) toast({ title: i18n.t("auth:accountDeleted") });
    else if (error) void showFailure(error);
    // A reload must not show it again.
    updateUrl(authPath({ next }), "replaceState");
  }, [translated, error, deleted, next]);
}

async function showFailure(code: string): Promise<void> {
  await i18n.loadNamespaces(["errors"]);
  const known = i18n.exists(code, { ns: "errors" });
  const text = known ? i18n.t(`errors:${code as ErrorCode}`) : i18n.t("common:failure.unknown");
  toast({ title: i18n.t("auth:loginFailed"), text, destructive: true });
}

/** Signs in with a passkey: by the button, or by a suggestion of the address field. */
function PasskeySignIn({ next }: { next: string | undefined }) {
  const { t } = useTranslation("auth");
  // The page is prerendered with the button, because nearly every browser has passkeys.
  const [supported, setSupported] = useState(true);
  const [suggests, setSuggests] = useState(false);
  const [approached, setApproached] = useState(false);
  const { mutate, isIdle, isPending, isSuccess, error } = usePasskeySignIn();
  const busy = isPending || isSuccess;
  const later = pages.use();
  const { data: options, isStale } = useQuery({
    ...passkeyOptionsQuery,
    enabled: (suggests || approached) && !busy,
  });
  const approach = () => setApproached(true);
  useEffect(() => {
    setSupported(hasWebAuthn());
    let left = false;
    void canSuggestPasskeys().then((can) => left || setSuggests(can));
    return () => {
      left = true;
    };
  }, []);
  useEffect(() => {
    if (!suggests || !options || isStale || busy) return;
    const signIn = (used: PasskeyUse) => mutate(used, { onSuccess: () => location.replace(next ?? "/") });
    return suggestPasskeys(options, signIn);
  }, [suggests, options, isStale, busy, mutate, next]);
  if (!supported) return null;
  return (
    <div className="mt-4 flex flex-col gap-2">
      <Button
        size="lg"
        className="w-full"
        loading={busy}
        onPointerEnter={approach}
        onFocus={approach}
        onClick={() => mutate(undefined, { onSuccess: () => location.replace(next ?? "/") })}
      >
        <KeyRound aria-hidden />
        {t("passkey.signIn")}
      </Button>
      {!isIdle && later && <later.PasskeyFailure error={error} />}
    </div>
  );
}
