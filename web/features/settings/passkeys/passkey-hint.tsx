import { useClose } from "@headlessui/react";
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
export default function PasskeyHint() {
  const { data: user } = useQuery(userQuery);
  if (!user || !hasWebAuthn() || Date.now() - Date.parse(user.createdAt) < WEEK_MS) return null;
  return <Hint user={user} />;
}

function Hint({ user }: { user: User }) {
  const { t } = useTranslation("shell");
  const closeDrawer = useClose();
  const key = `passkey-hint-${user.id}`;
  const [dismissed, setDismissed] = useState(() => readStored(key) !== null);
  const { data: passkeys } = useQuery({ ...passkeysQuery, enabled: !dismissed });
  const { data: providers } = useQuery({ ...linkedProvidersQuery, enabled: !dismissed });
  if (dismissed || passkeys?.length !== 0 || providers?.length !== 0) return null;
  const dismiss = () => {
    writeStored(key, "dismissed");
    setDismissed(true);
    closeDrawer();
    focusContent();
  };
  return (
    <p className="mb-3 flex items-start gap-2.5 rounded-card border border-line bg-surface p-2.5 text-ink-soft text-xs [@media(max-height:45rem)]:hidden">
      <Fingerprint aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1">
        {t("passkeyHint.text")}{" "}
        <Link
          to="/profile"
          hash="passkeys"
          onClick={closeDrawer}
          className="mt-1 block w-fit font-medium text-accent underline-offset-4 hover:underline"
        >
          {t("passkeyHint.add")}
        </Link>
      </span>
      <IconButton
        label={t("passkeyHint.dismiss")}
        side="bottom-end"
        icon={X}
        className="-mt-1 -mr-1"
        onClick={dismiss}
      />
    </p>
  );
}
