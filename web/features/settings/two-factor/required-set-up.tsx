import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { Logo } from "../../../components/ui/logo";
import { usePageTitle } from "../../../lib/use-page-title";
import { useLogout, userQuery } from "../../auth/auth.queries";
import { AddPasskey } from "../passkeys/add-passkey";
import { ProvedOnly } from "../proved-only";
import { SetUpApp } from "./set-up-app";
import { twoFactorQuery } from "./two-factor.queries";

type RequiredSetUpProps = {
  onDone: () => void;
  onSignedOut: () => void;
};

/** Instead of the page, for an account that must set up a second factor before anything else. */
export function RequiredSetUpPage({ onDone, onSignedOut }: RequiredSetUpProps) {
  const { t } = useTranslation(["security", "profile", "shell", "common", "errors", "validation"]);
  usePageTitle(t("required.title"));
  return (
    <main
      id="content"
      tabIndex={-1}
      className="mx-auto flex min-h-dvh max-w-xl flex-col px-5 py-8 outline-none"
    >
      <Logo />
      <h1 className="mt-10 text-2xl">{t("required.title")}</h1>
      <p className="mt-2 text-ink-soft">{t("required.text")}</p>
      <Choices onDone={onDone} />
      <SignedInAs onSignedOut={onSignedOut} />
    </main>
  );
}

/** The same over the page, if it becomes necessary while the page is open. */
export function RequiredSetUpDialog({ onDone, onSignedOut }: RequiredSetUpProps) {
  const choices = useRef<HTMLDivElement>(null);
  const { t } = useTranslation(["security", "profile", "shell", "common", "errors", "validation"]);
  return (
    <Dialog
      nested
      hideCloseButton
      // There is nothing else to do. Escape takes the focus away.
      onClose={() => choices.current?.focus()}
      title={t("required.title")}
      description={t("required.text")}
    >
      <div ref={choices} tabIndex={-1} className="-mt-5 flex flex-col outline-none">
        <Choices onDone={onDone} />
      </div>
      <SignedInAs onSignedOut={onSignedOut} />
    </Dialog>
  );
}

function Choices({ onDone }: Pick<RequiredSetUpProps, "onDone">) {
  const { t } = useTranslation(["security", "profile"]);
  // Another tab may have set one up.
  const { data } = useQuery({ ...twoFactorQuery, refetchOnWindowFocus: true });
  const [busy, setBusy] = useState(false);
  const isDone = data !== undefined && (data.totp || data.passkeys > 0) && !busy;
  useEffect(() => {
    if (isDone) onDone();
  }, [isDone, onDone]);
  return (
    <div className="mt-5 mb-5">
      <ProvedOnly>
        <ul className="-my-5 divide-y divide-line">
          <Choice title={t("passkeys.title")} text={t("passkeys.text")}>
            <AddPasskey onAdded={onDone} />
          </Choice>
          <Choice title={t("profile:twoFactor.app")} text={t("profile:twoFactor.appText")}>
            <SetUpApp label={t("profile:twoFactor.setUp")} onBusy={setBusy} onDone={onDone} />
          </Choice>
        </ul>
      </ProvedOnly>
    </div>
  );
}

function Choice({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className="flex flex-col items-start gap-3 py-5">
      <div>
        <h2 className="text-base">{title}</h2>
        <p className="mt-1 text-ink-soft">{text}</p>
      </div>
      {children}
    </li>
  );
}

function SignedInAs({ onSignedOut }: Pick<RequiredSetUpProps, "onSignedOut">) {
  const { t } = useTranslation(["security", "shell"]);
  const { data: user } = useQuery(userQuery);
  const logout = useLogout();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t pt-5">
      <p className="min-w-0 break-words text-ink-soft">
        {user && t("required.account", { email: user.email })}
      </p>
      <Button
        loading={logout.isPending || logout.isSuccess}
        onClick={() => logout.mutate(undefined, { onSuccess: onSignedOut })}
      >
        {t("shell:signOut")}
      </Button>
    </div>
  );
}
