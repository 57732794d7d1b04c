import { KeyRound } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { askForPasskey, hasWebAuthn, suggestsPasskeys } from "../../lib/webauthn";
import { readPasskeyOptions, usePasskeySignIn } from "./auth.queries";

/** The server accepts a challenge for five minutes. */
const FRESH_MS = 4 * 60 * 1000;

type Options = { at: number; options: ReturnType<typeof readPasskeyOptions> };

/**
 * Signs in with a passkey: by the button, or by a suggestion of the address field. Safari shows its question only if the
 * options are there before the click, so they are fetched when the pointer or the focus arrives.
 */
export function PasskeySignIn({ next }: { next: string | undefined }) {
  const { t } = useTranslation("auth");
  // The page is prerendered with the button, because nearly every browser has passkeys.
  const [supported, setSupported] = useState(true);
  const prepared = useRef<Options>(undefined);
  const signIn = usePasskeySignIn();
  const { mutate } = signIn;
  const prepare = () => {
    const { current } = prepared;
    if (current && Date.now() - current.at < FRESH_MS) return current.options;
    const options = readPasskeyOptions();
    options.catch(() => undefined);
    prepared.current = { at: Date.now(), options };
    return options;
  };
  useEffect(() => setSupported(hasWebAuthn()), []);
  useEffect(() => {
    let left = false;
    const suggest = async () => {
      if (!(await suggestsPasskeys()) || left) return;
      const response = await askForPasskey(await readPasskeyOptions(), { autofill: true });
      if (!left) mutate(response, { onSuccess: () => location.replace(next ?? "/") });
    };
    // Without suggestions the button remains.
    suggest().catch(() => undefined);
    return () => {
      left = true;
    };
  }, [mutate, next]);
  if (!supported) return null;
  return (
    <Button
      size="lg"
      className="mt-4 w-full"
      loading={signIn.isPending || signIn.isSuccess}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => {
        const options = prepare();
        prepared.current = undefined;
        mutate(options, { onSuccess: () => location.replace(next ?? "/") });
      }}
    >
      <KeyRound aria-hidden />
      {t("passkey.signIn")}
    </Button>
  );
}
