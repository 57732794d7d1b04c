import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fingerprint, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button";
import { focusContent } from "../../../lib/focus";
import { readStored, writeStored } from "../../../lib/storage";
import { hasWebAuthn } from "../../../lib/webauthn";
import { type User, userQuery } from "../../auth/auth.queries";
import { linkedProvidersQuery } from "../settings.queries";
import { passkeysQuery } from "./passkeys.queries";

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** Suggests a passkey to who has had only a password for a week. */
export function PasskeyHint() {
  const { data: user } = useQuery(userQuery);
  if (!user || !hasWebAuthn() || Date.now() - Date.parse(user.createdAt) < WEEK_MS) return null;
  return <Hint user={user} />;
}

function Hint({ user }: { user: User }) {
  const { t } = useTranslation("shell");
  const key = `passkey-hint-${user.id}`;
  const [dismissed, setDismissed] = useState(() => readStored(key) !== null);
  const { data: passkeys } = useQuery({ ...passkeysQuery, enabled: !dismissed });
  const { data: providers } = useQuery({ ...linkedProvidersQuery, enabled: !dismissed });
  if (dismissed || passkeys?.length !== 0 || providers?.length !== 0) return null;
  const dismiss = () => {
    writeStored(key, "dismissed");
    setDismissed(true);
    focusContent();
  };
  return (
    <p className="mt-5 flex items-center gap-3 rounded-card bg-accent-soft px-4 py-2 text-accent">
      <Fingerprint aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1">
        {t("passkeyHint.text")}{" "}
        <Link to="/profile" hash="passkeys" className="inline-block underline underline-offset-4">
          {t("passkeyHint.add")}
        </Link>
      </span>
      <IconButton label={t("passkeyHint.dismiss")} icon={X} onClick={dismiss} />
    </p>
  );
}
