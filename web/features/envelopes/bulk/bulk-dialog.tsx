import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopeRow } from "../../../../worker/contract/envelopes";
import { LIMITS } from "../../../../worker/contract/limits";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { Field } from "../../../components/ui/field";
import { ProgressBar } from "../../../components/ui/progress-bar";
import { toast } from "../../../components/ui/toast-store";
import { ApiError } from "../../../lib/api";
import { errorText } from "../../../lib/error-text";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import type { Member } from "../../workspaces/members/members.queries";
import { AssigneeSelect } from "../assignee-select";
import { type BulkAction, type BulkResult, planAction, runAction } from "./bulk-actions";

type BulkDialogProps = {
  action: BulkAction;
  envelopes: readonly EnvelopeRow[];
  /** To whom they can be assigned. */
  members: readonly Member[];
  onClose: () => void;
  /** Called when the action was done with all of them. */
  onDone: () => void;
  nested?: boolean;
};

/** Explains what an action will do with the selected envelopes, does it, and reports what failed. */
export default function BulkDialog(props: BulkDialogProps) {
  const { action, envelopes, members, onClose, onDone, nested = false } = props;
  const { t } = useTranslation(["envelopes", "common", "errors", "validation"]);
  // The plan stays the same, although the list changes as envelopes are deleted or assigned.
  const [selected] = useState(envelopes);
  const [assigneeId, setAssigneeId] = useState(0);
  const plan = useMemo(() => planAction(action, selected, assigneeId), [action, selected, assigneeId]);
  const count = plan.affected.length;
  const { state, run, stop } = useBulkRun({ action, assigneeId, envelopes: plan.affected }, () => {
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
      {...(action === "delete" && { role: "alertdialog" as const })}
      onClose={close}
      nested={nested}
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
              disabled={count === 0 || plan.tooMany || (action === "assign" && assigneeId === 0)}
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
        {state.kind === "confirming" && action === "assign" && (
          <Field label={t("assignee.label")}>
            <AssigneeSelect members={members} value={assigneeId} onChange={setAssigneeId} />
          </Field>
        )}
        {state.kind === "confirming" && <BulkPlan action={action} plan={plan} />}
        {state.kind === "running" && <ProgressBar label={title} value={state.done} max={count} />}
        {state.kind === "finished" && <BulkOutcome action={action} result={state.result} />}
      </div>
    </Dialog>
  );
}

type BulkRunState =
  | { kind: "confirming" }
  | { kind: "running"; done: number }
  | { kind: "finished"; result: BulkResult };

type BulkRun = { action: BulkAction; assigneeId: number; envelopes: readonly EnvelopeRow[] };

/** Runs an action on these envelopes; calls `onDone` after it was done with all of them. */
function useBulkRun({ action, assigneeId, envelopes }: BulkRun, onDone: () => void) {
  const client = useQueryClient();
  const [state, setState] = useState<BulkRunState>({ kind: "confirming" });
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  return {
    state,
    async run() {
      controller.current = new AbortController();
      const { signal } = controller.current;
      const onProgress = (done: number) => setState({ kind: "running", done });
      onProgress(0);
      const result = await runAction(action, envelopes, { signal, onProgress, assigneeId });
      if (action !== "download") void client.invalidateQueries({ queryKey: ["requests"] });
      if (result.stopped > 0 || result.failures.length > 0) setState({ kind: "finished", result });
      else onDone();
    },
    /** Begins no more calls; the result is shown once those that run have ended. */
    stop: () => controller.current?.abort(),
  };
}

/** How many envelopes are listed before the rest is only counted. */
const LISTED = 100;

type BulkPlanProps = { action: BulkAction; plan: ReturnType<typeof planAction> };

/** Says what the action will do, and with which envelopes. */
function BulkPlan({ action, plan: { affected, files, leftOut, tooMany } }: BulkPlanProps) {
  const { t } = useTranslation("envelopes");
  const count = affected.length;
  return (
    <>
      {count > 0 && <p>{t(`bulk.${action}.text`, { count, files: t("bulk.files", { count: files }) })}</p>}
      {count > 0 && <AffectedEnvelopes envelopes={affected} />}
      {action === "delete" && files > 0 && (
        <p className="font-medium">{t("delete.files", { count: files })}</p>
      )}
      {action !== "delete" && leftOut > 0 && (
        <p className="text-warn">{t(`bulk.${action}.leftOut`, { count: leftOut })}</p>
      )}
      {tooMany && (
        <p role="alert" className="text-bad">
          {t("bulk.download.tooMany", { max: LIMITS.envelopesPerArchive })}
        </p>
      )}
    </>
  );
}

/** Recipient and subject of each. */
function AffectedEnvelopes({ envelopes }: { envelopes: readonly EnvelopeRow[] }) {
  const { t } = useTranslation("envelopes");
  const rest = envelopes.length - LISTED;
  return (
    <details open>
      <summary className="mb-2 w-fit cursor-pointer rounded-sm font-medium">{t("bulk.affected")}</summary>
      <ul className="divide-y divide-line rounded-control border border-line">
        {envelopes.slice(0, LISTED).map((envelope) => (
          <li key={envelope.id} className="px-3 py-2">
            <span className="block break-words font-medium">{envelope.subject || t("noSubject")}</span>
            <span className="block text-ink-soft text-xs [overflow-wrap:anywhere]">
              {envelope.recipient || t("noRecipient")}
            </span>
          </li>
        ))}
        {rest > 0 && <li className="px-3 py-2 text-ink-soft">{t("bulk.more", { count: rest })}</li>}
      </ul>
    </details>
  );
}

const NAMED_FAILURES = 20;

type BulkOutcomeProps = { action: BulkAction; result: BulkResult };

/** Says what was done, what was not started, and why the rest failed. */
function BulkOutcome({ action, result: { done, stopped, failures } }: BulkOutcomeProps) {
  const { t, i18n } = useTranslation(["envelopes", "errors", "validation"]);
  const reasonOf = (error: unknown) =>
    error instanceof ApiError && error.code === "rate_limited" && action === "remind"
      ? t("remind.tooSoon")
      : errorText(error, i18n.t);
  return (
    <div role="status" className="flex flex-col gap-3">
      {done > 0 && <p>{t(`bulk.${action}.done`, { count: done })}</p>}
      {stopped > 0 && <p>{t("bulk.stopped", { count: stopped })}</p>}
      {failures.length > 0 && (
        <ul className="flex flex-col gap-2">
          {failures.slice(0, NAMED_FAILURES).map(({ envelope, error }) => (
            <li key={envelope.id} className="break-words">
              {action !== "download" && (
                <span className="block font-medium">
                  {envelope.subject || envelope.recipient || t("noSubject")}
                </span>
              )}
              <span className="text-bad">{reasonOf(error)}</span>
            </li>
          ))}
          {failures.length > NAMED_FAILURES && (
            <li>{t("bulk.more", { count: failures.length - NAMED_FAILURES })}</li>
          )}
        </ul>
      )}
    </div>
  );
}
