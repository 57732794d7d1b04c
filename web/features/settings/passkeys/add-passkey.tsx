import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { lazyComponent } from "../../../components/ui/lazy-component";
import { hasWebAuthn } from "../../../lib/webauthn";
import { usePreparePasskey } from "./passkeys.queries";

const AddPasskeyDialog = lazyComponent(() => import("./add-passkey-dialog"));

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
