import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopeRow } from "../../../../worker/contract/envelopes";
import { LIMITS } from "../../../../worker/contract/limits";
import { isUndelivered } from "../../../../worker/contract/request-words";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { Disclosure } from "../../../components/ui/disclosure";
import { Field } from "../../../components/ui/field";
import { DateInput } from "../../../components/ui/input";
import { ProgressBar } from "../../../components/ui/progress-bar";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { toast } from "../../../components/ui/toast-store";
import { ApiError } from "../../../lib/api";
import { errorText } from "../../../lib/error-text";
import { today } from "../../../lib/time-zone";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import { useFormat } from "../../../lib/use-format";
import { useAccountTimeZone } from "../../auth/auth.queries";
import { loadsQuery, type Member } from "../../workspaces/members/members.queries";
import { useSelectedWorkspace } from "../../workspaces/workspaces.queries";
import { AssigneeSelect } from "../assignee-select";
import { canRemind } from "../envelope";
import { envelopeQuery } from "../envelopes.queries";
import { acceptableQuery } from "./accept.queries";
import {
  type BulkAction,
  type BulkInput,
  type BulkResult,
  type DocumentsOf,
  NO_INPUT,
  planAction,
  runAction,
} from "./bulk-actions";
import { RemindForm } from "./remind-form";

const HOUR_MS = 60 * 60 * 1000;

type BulkDialogProps = {
  action: BulkAction;
  envelopes: readonly EnvelopeRow[];
  /** To whom they can be assigned. */
  members?: readonly Member[];
  /** What is accepted, or what reminders name; by default all. */
  documentIds?: DocumentsOf;
  onClose: () => void;
  /** Called when the action was done with all of them, if that is more than closing. */
  onDone?: () => void;
  nested?: boolean;
};

/** Explains what an action will do with the selected envelopes, does it, and reports what failed. */
export default function BulkDialog(props: BulkDialogProps) {
  const { action, envelopes, members = [], onClose, onDone = onClose, nested = false } = props;
  const { t } = useTranslation(["envelopes", "common", "errors", "validation"]);
  // The plan stays the same, although the list changes as envelopes are deleted or assigned.
  const [selected] = useState(envelopes);
  const only = action === "remind" && selected.length === 1 ? selected[0] : undefined;
  const [typed, setTyped] = useState<BulkInput>({
    ...NO_INPUT,
    leavesOutReminded: only === undefined,
    ...(props.documentIds && { documentIds: props.documentIds }),
  });
  const plan = useMemo(() => planAction(action, selected, typed), [action, selected, typed]);
  const acceptable = useAcceptable(action, plan.affected, props.documentIds);
  const input = acceptable.data ? { ...typed, documentIds: acceptable.data.documentIds } : typed;
  const affected =
    action === "accept" ? plan.affected.filter(({ id }) => input.documentIds.has(id)) : plan.affected;
  const count = affected.length;
  const { state, run, stop } = useBulkRun({ action, input, envelopes: affected }, () => {
    toast({ title: only ? t("remind.done") : t(`bulk.${action}.done`, { count }) });
    onDone();
  });
  const undelivered = affected.filter((envelope) => isUndelivered(envelope, new Date())).length;
  const running = state.kind === "running";
  // Stops running calls, and shows their result before the dialog closes.
  const close = running ? stop : onClose;
  useCloseOnBack(true, close);
  let title = t(`bulk.${action}.title`, { count: plan.affected.length });
  if (only) title = t("remind.title", { name: only.recipient });
  else if (action === "remind" && count === 0) title = t("bulk.remind.allReminded");
  const blocked = useReminderBlock(only);
  const firstDay = today(useAccountTimeZone());
  const isReady = {
    remind: !blocked,
    due: typed.dueDate >= firstDay,
    assign: typed.assigneeId !== 0,
    accept: acceptable.data !== undefined,
    download: !plan.tooMany,
    delete: true,
  }[action];
  const files = acceptable.data?.files ?? 0;

  return (
    <Dialog
      {...(action === "delete" && { role: "alertdialog" as const })}
      onClose={close}
      nested={nested}
      width={action === "remind" ? "md" : "sm"}
      hideCloseButton
      title={title}
      subtitle={only && (only.subject || t("noSubject"))}
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
              disabled={count === 0 || !isReady}
              loading={running}
              onClick={() => void run()}
            >
              {only
                ? t("remind.send")
                : action === "accept" && files === 0
                  ? t("bulk.accept.action")
                  : t(`bulk.${action}.confirm`, { count: action === "accept" ? files : count })}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {state.kind === "confirming" && action === "assign" && (
          <AssigneeField
            members={members}
            value={typed.assigneeId}
            onChange={(assigneeId) => setTyped({ ...typed, assigneeId })}
          />
        )}
        {state.kind === "confirming" && action === "due" && (
          <DueDateField
            value={typed.dueDate}
            min={firstDay}
            onChange={(dueDate) => setTyped({ ...typed, dueDate })}
          />
        )}
        {state.kind === "confirming" && only && <LastReminder envelope={only} blocked={blocked} />}
        {state.kind === "confirming" && !only && action !== "accept" && (
          <BulkPlan action={action} plan={plan} />
        )}
        {state.kind === "confirming" && action === "remind" && undelivered > 0 && (
          <p className="text-warn">
            {only ? t("delivery.hint") : t("bulk.remind.undelivered", { number: undelivered })}
          </p>
        )}
        {state.kind === "confirming" && action === "remind" && (
          <RemindForm
            affected={affected}
            reminded={only ? null : plan.reminded}
            input={typed}
            onInput={(changes) => setTyped({ ...typed, ...changes })}
          />
        )}
        {state.kind === "confirming" && action === "accept" && (
          <AcceptPlan query={acceptable} affected={affected} leftOut={selected.length - count} />
        )}
        {state.kind === "running" && <ProgressBar label={title} value={state.done} max={count} />}
        {state.kind === "finished" && <BulkOutcome action={action} result={state.result} />}
      </div>
    </Dialog>
  );
}

const useAcceptable = (action: BulkAction, affected: readonly EnvelopeRow[], only?: DocumentsOf) =>
  useQuery({
    ...acceptableQuery(
      affected.map(({ id }) => id),
      only,
    ),
    enabled: action === "accept",
  });

type AcceptPlanProps = {
  query: ReturnType<typeof useAcceptable>;
  affected: readonly EnvelopeRow[];
  leftOut: number;
};

/** How many files are accepted, and how many of them nobody has opened. */
function AcceptPlan({ query, affected, leftOut }: AcceptPlanProps) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  if (!query.data)
    return <QueryPlaceholder query={query} failed={t("bulk.accept.loadFailed")} rowClass="h-24" />;
  const { count, files, unopened } = query.data;
  const number = format.number(count);
  const entries = files > 0 ? `${number} (${t("bulk.files", { count: files })})` : number;
  return (
    <>
      <p>{t("bulk.accept.text", { entries })}</p>
      {files > 0 && (
        <p className={unopened > 0 ? "text-warn" : "text-ink-soft"}>
          {unopened > 0 ? t("bulk.accept.unopened", { count: unopened }) : t("bulk.accept.opened")}
        </p>
      )}
      {affected.length > 0 && <AffectedEnvelopes envelopes={affected} />}
      {leftOut > 0 && <p className="text-warn">{t("bulk.accept.leftOut", { count: leftOut })}</p>}
    </>
  );
}

type DueDateFieldProps = { value: string; min: string; onChange: (day: string) => void };

function DueDateField({ value, min, onChange }: DueDateFieldProps) {
  const { t } = useTranslation(["envelopes", "validation"]);
  const isPast = value !== "" && value < min;
  return (
    <Field label={t("wizard.due")} error={isPast ? t("validation:dateInPast") : undefined}>
      <DateInput
        autoFocus
        empty={value === ""}
        min={min}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}

type AssigneeFieldProps = { members: readonly Member[]; value: number; onChange: (userId: number) => void };

/** To whom the envelopes are assigned, and how much each has already. */
function AssigneeField(props: AssigneeFieldProps) {
  const { t } = useTranslation("envelopes");
  const workspace = useSelectedWorkspace();
  const { data: loads } = useQuery({ ...loadsQuery(workspace?.id ?? 0), enabled: workspace !== undefined });
  return (
    <Field label={t("assignee.label")}>
      <AssigneeSelect loads={loads} {...props} />
    </Field>
  );
}

/** Why this one recipient cannot be reminded now; "unknown" until its details are loaded. */
function useReminderBlock(only: EnvelopeRow | undefined): "unknown" | "unsubscribed" | "tooSoon" | null {
  const { data } = useQuery({ ...envelopeQuery(only?.id ?? 0), enabled: only !== undefined });
  if (!only) return null;
  if (!data) return "unknown";
  if (!canRemind(data)) return "unsubscribed";
  return data.remindedAt && Date.parse(data.remindedAt) > Date.now() - HOUR_MS ? "tooSoon" : null;
}

type LastReminderProps = { envelope: EnvelopeRow; blocked: ReturnType<typeof useReminderBlock> };

function LastReminder({ envelope: { remindedAt }, blocked }: LastReminderProps) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  if (blocked === "tooSoon" || blocked === "unsubscribed")
    return (
      <p role="alert" className="text-warn">
        {t(blocked === "tooSoon" ? "remind.tooSoon" : "unsubscribed.text")}
      </p>
    );
  return <p>{remindedAt ? t("remind.last", { when: format.when(remindedAt) }) : t("remind.first")}</p>;
}

type BulkRunState =
  | { kind: "confirming" }
  | { kind: "running"; done: number }
  | { kind: "finished"; result: BulkResult };

type BulkRun = { action: BulkAction; input: BulkInput; envelopes: readonly EnvelopeRow[] };

/** Runs an action on these envelopes; calls `onDone` after it was done with all of them. */
function useBulkRun({ action, input, envelopes }: BulkRun, onDone: () => void) {
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
      const result = await runAction(action, envelopes, { signal, onProgress, input });
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

type BulkPlanProps = { action: Exclude<BulkAction, "accept">; plan: ReturnType<typeof planAction> };

/** Says what the action will do, and with which envelopes. */
function BulkPlan({ action, plan: { affected, files, leftOut, tooMany } }: BulkPlanProps) {
  const { t } = useTranslation("envelopes");
  const count = affected.length;
  return (
    <>
      {count > 0 && <p>{t(`bulk.${action}.text`, { count, files: t("bulk.files", { count: files }) })}</p>}
      {count > 0 && <AffectedEnvelopes envelopes={affected} folded={action === "remind"} />}
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
function AffectedEnvelopes({ envelopes, folded }: { envelopes: readonly EnvelopeRow[]; folded?: boolean }) {
  const { t } = useTranslation("envelopes");
  const rest = envelopes.length - LISTED;
  return (
    <Disclosure open={!folded} prominent summary={t("bulk.affected")}>
      <ul className="divide-y divide-line rounded-control border border-line">
        {envelopes.slice(0, LISTED).map((envelope) => (
          <li key={envelope.id} className="px-3 py-2">
            <span className="block break-words font-medium">{envelope.subject || t("noSubject")}</span>
            <span className="block text-ink-soft text-xs [overflow-wrap:anywhere]">
              {envelope.recipient || t("noRecipient")}
            </span>
            {isUndelivered(envelope, new Date()) && (
              <span className="block text-warn text-xs">{t("marks.notDelivered")}</span>
            )}
          </li>
        ))}
        {rest > 0 && <li className="px-3 py-2 text-ink-soft">{t("bulk.more", { count: rest })}</li>}
      </ul>
    </Disclosure>
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
