import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "#translation";
import { Button } from "../../components/ui/button";
import { canSuggestPasskeys, hasWebAuthn, suggestPasskeys } from "../../lib/webauthn";
import { type PasskeyUse, passkeyOptionsQuery, usePasskeySignIn } from "./auth.queries";
import { pages } from "./load-pages";

/** Signs in with a passkey: by the button, or by a suggestion of the address field. */
export function PasskeySignIn({ next }: { next: string | undefined }) {
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
