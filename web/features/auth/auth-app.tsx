import { type ComponentType, useEffect, useLayoutEffect, useState } from "react";
import type { SignUpState } from "../../../worker/contract/auth";
import { RootLayout } from "../../components/layout/root-layout";
import { AuthPage } from "./auth-page";
import type { LinkView } from "./auth-url";
import type { Bootstrap } from "./bootstrap";
import { InvitePage } from "./invite-page";
import { ReleaseEmailPage, RevertEmailPage, SignInLinkPage, VerifyPage } from "./link-pages";
import { useAuthUrl } from "./navigation";
import { ResetPage } from "./reset-page";
import { SetupPage } from "./setup-page";
import { applyLanguage } from "./translation";
import { UnsubscribePage } from "./unsubscribe-page";

const LINK_PAGES: Record<LinkView, ComponentType<{ token: string }>> = {
  reset: ResetPage,
  verify: VerifyPage,
  "revert-email": RevertEmailPage,
  "release-email": ReleaseEmailPage,
  invite: InvitePage,
  setup: SetupPage,
  "sign-in": SignInLinkPage,
  unsubscribe: UnsubscribePage,
};

type AuthAppProps = {
  /** Absent when prerendering. */
  bootstrap?: Bootstrap;
};

/** The sign-in pages: sign in, register, reset a password, verify an address. */
export function AuthApp({ bootstrap }: AuthAppProps) {
  const url = useAuthUrl();
  const { view } = url;
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (dataset.pendingView === view) delete dataset.pendingView;
  }, [view]);
  const [translated, setTranslated] = useState(false);
  const [signUp, setSignUp] = useState<SignUpState>("open");
  const [allowsPasswords, setAllowsPasswords] = useState(true);
  useEffect(() => {
    if (!bootstrap) return;
    void bootstrap.signUp.then(setSignUp);
    void bootstrap.allowsPasswords.then(setAllowsPasswords);
    void applyLanguage(bootstrap).then(() => setTranslated(true));
    if (bootstrap.submitted) document.forms[0]?.requestSubmit();
    else bootstrap.press.button?.click();
    bootstrap.press.button = null;
  }, [bootstrap]);
  if ("token" in url) {
    const Page = LINK_PAGES[url.view];
    return (
      <RootLayout>
        <Page token={url.token} />
      </RootLayout>
    );
  }
  return (
    <RootLayout>
      <AuthPage url={url} translated={translated} signUp={signUp} allowsPasswords={allowsPasswords} />
    </RootLayout>
  );
}
