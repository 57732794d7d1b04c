import { useEffect, useState } from "react";
import { Button } from "../../../components/ui/button";
import { lazyComponent } from "../../../components/ui/lazy-component";
import { useBeginTotp } from "./two-factor.queries";

const SetUpDialog = lazyComponent(() => import("./set-up-dialog"));
const RecoveryCodesDialog = lazyComponent(() => import("./recovery-codes-dialog"));

type SetUpAppProps = {
  label: string;
  /** Called with true while a dialog is open. */
  onBusy?: (busy: boolean) => void;
  onDone?: () => void;
};

/** The button that sets up an authenticator app, and its dialogs: the secret, then the recovery codes. */
export function SetUpApp({ label, onBusy, onDone }: SetUpAppProps) {
  const begin = useBeginTotp();
  const [codes, setCodes] = useState<string[] | null>(null);
  const busy = begin.data !== undefined || codes !== null;
  useEffect(() => onBusy?.(busy), [busy, onBusy]);
  return (
    <>
      <Button loading={begin.isPending} onClick={() => begin.mutate()}>
        {label}
      </Button>
      {begin.data && (
        <SetUpDialog
          app={begin.data}
          onClose={begin.reset}
          onConfirmed={(made) => {
            begin.reset();
            setCodes(made);
          }}
        />
      )}
      {codes && (
        <RecoveryCodesDialog
          codes={codes}
          onClose={() => {
            setCodes(null);
            onDone?.();
          }}
        />
      )}
    </>
  );
}
