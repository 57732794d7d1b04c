import { useEffect, useLayoutEffect, useState } from "react";
import type { SignUpState } from "../../../worker/contract/auth";
import { RootLayout } from "../../components/layout/root-layout";
import { Spinner } from "../../components/ui/spinner";
import { AuthLayout } from "./auth-layout";
import { AuthPage } from "./auth-page";
import type { Bootstrap } from "./bootstrap";
import { pages } from "./load-pages";
import { useAuthUrl } from "./navigation";
import { applyLanguage } from "./translation";

type AuthAppProps = {
  /** Absent when prerendering. */
  bootstrap?: Bootstrap;
};

/** The sign-in pages: sign in, register, reset a password, verify an address. */
export function AuthApp({ bootstrap }: AuthAppProps) {
  const url = useAuthUrl();
  const { view } = url;
  const later = pages.use();
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (dataset.pendingView === view) delete dataset.pendingView;
  }, [view]);
  const [translated, setTranslated] = useState(false);
  const [signUp, setSignUp] = useState<SignUpState>("open");
  const [isFirst, setIsFirst] = useState(false);
  const [allowsPasswords, setAllowsPasswords] = useState(true);
  useEffect(() => {
    if (!bootstrap) return;
    void bootstrap.signUp.then(setSignUp);
    void bootstrap.isFirst.then(setIsFirst);
    void bootstrap.allowsPasswords.then(setAllowsPasswords);
    void applyLanguage(bootstrap).then(() => setTranslated(true));
    if (bootstrap.submitted) document.forms[0]?.requestSubmit();
    else bootstrap.press.button?.click();
    bootstrap.press.button = null;
  }, [bootstrap]);
  useEffect(() => {
    if (view !== "signIn" || signUp === "domains") void pages.load();
  }, [view, signUp]);
  if ("token" in url) {
    const Page = later?.LINK_PAGES[url.view];
    return (
      <RootLayout>
        {Page ? (
          <Page token={url.token} />
        ) : (
          <AuthLayout>
            <Spinner />
          </AuthLayout>
        )}
      </RootLayout>
    );
  }
  return (
    <RootLayout>
      <AuthPage {...{ url, translated, signUp, isFirst, allowsPasswords }} />
    </RootLayout>
  );
}
