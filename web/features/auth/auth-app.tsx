import { useEffect, useLayoutEffect, useState } from "react";
import { PageRoot } from "../../components/layout/root-layout";
import { AuthPage } from "./auth-page";
import type { Start } from "./bootstrap";
import { ResetPage } from "./reset-page";
import { speak } from "./translation";
import { useAddress } from "./use-auth-url";
import { VerifyPage } from "./verify-page";

type AuthAppProps = {
  /** Absent in the page as it is built. */
  started?: Start;
};

/** Everything a visitor does before being signed in. */
export function AuthApp({ started }: AuthAppProps) {
  const address = useAddress();
  const { view } = address;
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (dataset.awaits === view) delete dataset.awaits;
  }, [view]);
  const [spoken, setSpoken] = useState(false);
  useEffect(() => {
    if (!started) return;
    void speak(started).then(() => setSpoken(true));
    if (started.pressed) document.forms[0]?.requestSubmit();
  }, [started]);
  if ("token" in address) {
    const Page = view === "reset" ? ResetPage : VerifyPage;
    return (
      <PageRoot>
        <Page token={address.token} />
      </PageRoot>
    );
  }
  return (
    <PageRoot>
      <AuthPage address={address} spoken={spoken} />
    </PageRoot>
  );
}
