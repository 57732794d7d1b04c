import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { Button } from "../../../components/ui/button";
import { lazyComponent } from "../../../components/ui/lazy-component";
import { PasskeyFailure } from "../../../components/ui/passkey-failure";
import { hasWebAuthn } from "../../../lib/webauthn";
import { useDeviceName } from "../session-list";
import { newPasskeyQuery, useAddPasskey, usePreparePasskey } from "./passkeys.queries";

const PasskeyNameDialog = lazyComponent(() => import("./passkey-name-dialog"));

type AddPasskeyProps = {
  /** Whether the account has as many as it can have. */
  full?: boolean;
  onAdded?: () => void;
};

/** The button that adds a passkey, and its dialog. */
export function AddPasskey({ full = false, onAdded }: AddPasskeyProps) {
  const { t } = useTranslation("security");
  const prepare = usePreparePasskey();
  if (!hasWebAuthn()) return <p className="text-ink-soft">{t("passkeys.unsupported")}</p>;
  return (
    <>
      <Button loading={prepare.isPending} disabled={full} onClick={() => prepare.mutate()}>
        <Plus aria-hidden />
        {t("passkeys.add")}
      </Button>
      {full && <p className="text-ink-soft">{t("passkeys.full")}</p>}
      {prepare.isSuccess && (
        <AddPasskeyDialog
          onClose={prepare.reset}
          onAdded={() => {
            prepare.reset();
            onAdded?.();
          }}
        />
      )}
    </>
  );
}

/** Names a new passkey; its button leads to the browser's question. */
function AddPasskeyDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const { t } = useTranslation("security");
  const add = useAddPasskey();
  // Loaded before; again after a failure.
  useQuery({ ...newPasskeyQuery, enabled: !add.isPending });
  return (
    <PasskeyNameDialog
      nested
      title={t("passkeys.add")}
      description={t("passkeys.addText")}
      hint={t("passkeys.nameHint")}
      name={useDeviceName()(navigator.userAgent).slice(0, LIMITS.passkeyName)}
      submitLabel={t("passkeys.create")}
      pending={add.isPending}
      onName={(name) => add.mutate(name, { onSuccess: onAdded })}
      onClose={onClose}
    >
      <PasskeyFailure error={add.error} />
    </PasskeyNameDialog>
  );
}
