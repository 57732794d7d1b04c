import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { ProgressBar } from "../../../components/ui/progress-bar";
import { toast } from "../../../components/ui/toast-store";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import type { Envelope } from "../envelopes.queries";
import { type BulkAction, planAction } from "./bulk-actions";
import { BulkOutcome } from "./bulk-outcome";
import { BulkPlan } from "./bulk-plan";
import { useBulkRun } from "./use-bulk-run";

type BulkDialogProps = {
  action: BulkAction;
  /** The selected envelopes. */
  envelopes: readonly Envelope[];
  onClose: () => void;
  /** Called when the action was done with all of them. */
  onDone: () => void;
};

/** Explains what an action will do with the selected envelopes, does it, and reports what failed. */
export default function BulkDialog({ action, envelopes, onClose, onDone }: BulkDialogProps) {
  const { t } = useTranslation(["envelopes", "common", "errors", "validation"]);
  // The plan stays the same, although the list changes as envelopes are deleted.
  const [plan] = useState(() => planAction(action, envelopes));
  const count = plan.affected.length;
  const { state, run, stop } = useBulkRun(action, plan.affected, () => {
    toast({ title: t(`bulk.${action}.done`, { count }) });
    onDone();
  });
  const running = state.kind === "running";
  // Stops running calls, and shows their result before the dialog closes.
  const close = running ? stop : onClose;
  useCloseOnBack(true, close);
  const title = t(`bulk.${action}.title`, { count });

  return (
    <Dialog
      open
      {...(action === "delete" && { role: "alertdialog" as const })}
      onClose={close}
      width="sm"
      hideCloseButton
      title={title}
      footer={
        state.kind === "finished" ? (
          <Button variant="primary" onClick={onClose}>
            {t("common:close")}
          </Button>
        ) : (
          <>
            <Button onClick={close}>{running ? t("bulk.stop") : t("common:cancel")}</Button>
            <Button
              variant={action === "delete" ? "danger" : "primary"}
              disabled={count === 0 || plan.tooMany}
              loading={running}
              onClick={() => void run()}
            >
              {t(`bulk.${action}.confirm`, { count })}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {state.kind === "confirming" && <BulkPlan action={action} plan={plan} />}
        {state.kind === "running" && <ProgressBar label={title} value={state.done} max={count} />}
        {state.kind === "finished" && <BulkOutcome action={action} result={state.result} />}
      </div>
    </Dialog>
  );
}
