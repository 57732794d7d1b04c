import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { typedPlaceholders } from "../../../../worker/contract/placeholders";
import type { CellProblem, CellTarget } from "../../../components/list/list-table";
import { dismissFailure } from "../../../components/ui/toast-store";
import { useUnsavedChanges } from "../../../components/ui/unsaved-changes";
import { ApiError, isRejection } from "../../../lib/api";
import { messageKeyOf } from "../../../lib/error-text";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone, useDraftKey, userQuery } from "../../auth/auth.queries";
import { contactsQuery } from "../../contacts/contacts.queries";
import { useSendToSeveral } from "../bulk-sends.queries";
import { locateIssue, STEPS } from "../wizard/steps";
import { useRestoredStep, useStepCheck } from "../wizard/use-restored-step";
import { type WizardValues, wizardSchema } from "../wizard/wizard.schema";
import { toPayload } from "../wizard/wizard-values";
import {
  FIELDS,
  type FillContext,
  fingerprint,
  freshExtra,
  knownContacts,
  missingOf,
  placeholdersOf,
  problemsOf,
  type RecipientList,
  type RecipientRow,
  recipientOf,
  valueField,
  withoutRecipient,
} from "./recipient-list";

export type SeveralFormOptions = {
  initialValues: WizardValues;
  initialList: RecipientList;
  /** What it was begun with, which tells its unsent input apart. */
  origin: string;
  workspaceId: number | undefined;
  /** It is being sent, as a group with this id. */
  onSent: (id: number) => void;
};

/** The form of an envelope for several recipients: the steps of the wizard, with a list instead of a recipient. */
export function useSeveralForm({
  initialValues,
  initialList,
  origin,
  workspaceId,
  onSent,
}: SeveralFormOptions) {
  const { t } = useTranslation(["several", "validation", "errors"]);
  const timeZone = useAccountTimeZone();
  const [fresh] = useState(() => ({
    values: withoutRecipient(initialValues),
    extra: { ...freshExtra(), list: initialList },
  }));
  const form = useForm<WizardValues>({
    resolver: valibotResolver(wizardSchema(timeZone)),
    defaultValues: fresh.values,
    criteriaMode: "all",
  });
  const { step, setStep, extra, setExtra, isDirty, ...progress } = useRestoredStep(form, {
    initialValues: fresh.values,
    initialExtra: fresh.extra,
    key: useDraftKey(`several${origin}`, undefined),
  });
  const [isCarried] = useState(extra.isCarried);
  const { list } = extra;
  const setList = useCallback(
    (change: (list: RecipientList) => RecipientList) =>
      setExtra((now) => ({ ...now, isCarried: false, list: change(now.list) })),
    [setExtra],
  );
  const left = useMemo(() => new Set(list.left), [list.left]);
  const values = useWatch({ control: form.control }) as WizardValues;
  const problems = useMemo(
    () => problemsOf(list.rows, left, values.notificationPreference),
    [list.rows, left, values.notificationPreference],
  );
  const context = useFillContext(values, list, workspaceId);
  const missing = useMissing(list, left, context);
  const check = useStepCheck(form, STEPS[step] ?? "recipient");
  const send = useSendToSeveral();
  const guard = useUnsavedChanges(isDirty, send.isPending);
  /** What the server rejected, until the row is edited. */
  const [rejected, setRejected] = useState<ReadonlyMap<RecipientRow, CellProblem>>(new Map());
  /** The rows that needed a correction when only these were chosen. */
  const [chosen, setChosen] = useState<readonly number[] | null>(null);
  /** The cell of the list that gets the focus. */
  const [target, setTarget] = useState<CellTarget | null>(null);
  /** It was to be continued without any recipient. */
  const [isEmptyNoted, setEmptyNoted] = useState(false);

  const sent = list.rows.flatMap((row, index) => (left.has(index) ? [] : { row, index }));
  const isWrong = (index: number) => {
    const problem = problems[index];
    const row = list.rows[index];
    return (problem && !problem.isWarning) || (row !== undefined && rejected.has(row));
  };
  const wrong = sent.flatMap(({ index }) => (isWrong(index) ? index : []));
  const lacking = sent.flatMap(({ row, index }) => {
    const names = missing[index] ?? [];
    return names.length > 0 ? { index, name: row.recipientName, names: typedPlaceholders(names) } : [];
  });
  const problemOf = (index: number): CellProblem | undefined => {
    const row = list.rows[index];
    const problem = problems[index];
    if (!row || left.has(index)) return undefined;
    const rejection = rejected.get(row);
    if (rejection) return rejection;
    if (problem && !problem.isWarning)
      return { field: problem.field, text: t(`validation:${problem.message}`) };
    const [lacked] = missing[index] ?? [];
    if (lacked !== undefined) {
      const names = typedPlaceholders(missing[index] ?? []);
      return { field: `values.${lacked}`, text: t("noValue", { names }) };
    }
    return problem && { ...problem, text: t(`validation:${problem.message}`) };
  };
  const tooMany = Math.max(0, sent.length - LIMITS.recipientsPerBulkSend);
  const isListValid = sent.length > 0 && tooMany === 0 && wrong.length === 0;
  const showRows = (rows: readonly number[]) => {
    const [first] = rows;
    setChosen(rows);
    setTarget(first === undefined ? null : { index: first, field: problemOf(first)?.field ?? "" });
    setStep(0);
  };

  const payload = () => {
    const {
      recipientName: _n,
      recipientEmail: _e,
      recipientPhone: _p,
      countryCode: _c,
      contactId: _i,
      ...rest
    } = toPayload(form.getValues(), workspaceId);
    const { updatedAt: _u, ...envelope } = rest;
    const recipients = sent.map(({ row }) => recipientOf(row, context.known, context.names));
    return { envelope, recipients };
  };
  const showIssues = (error: unknown) => {
    if (!(error instanceof ApiError)) return;
    const rows = new Map<RecipientRow, CellProblem>();
    const steps: number[] = [];
    for (const { path, message } of error.issues) {
      const key = messageKeyOf(message);
      const [head = "", ...rest] = path.split(".");
      const at = head === "recipients" ? sent[Number(rest[0])] : undefined;
      if (at) {
        // The first one of a row is shown.
        if (!rows.has(at.row)) {
          const problem = rejectionOf(rest.slice(1).join("."), message);
          const names = problem.missing.join(", ");
          const text = key ? t(`validation:${key}`) : names ? t("noValue", { names }) : message;
          rows.set(at.row, { field: problem.field, text });
          if (rows.size === 1) setTarget({ index: at.index, field: problem.field });
        }
        steps.push(0);
      }
      const location = head === "envelope" ? locateIssue(rest.join(".")) : undefined;
      if (!location) continue;
      form.setError(location.field, { type: "server", message: key ?? message });
      steps.push(location.step);
    }
    setRejected(rows);
    if (rows.size > 0) setChosen(sent.flatMap(({ row, index }) => (rows.has(row) ? index : [])));
    if (steps.length > 0) setStep(Math.min(...steps));
  };
  const goTo = (next: number) => {
    dismissFailure();
    send.reset();
    setTarget(null);
    setStep(next);
  };
  /** Whether the current step may be left forwards. */
  const leave = async () => {
    if (step > 0) return check();
    if (wrong.length > 0) showRows(wrong);
    setEmptyNoted(sent.length === 0);
    return isListValid;
  };
  return {
    form,
    values,
    guard,
    step,
    ...progress,
    restored: progress.restored && !isCarried,
    list,
    setList,
    left,
    problemOf,
    wrong,
    lacking,
    tooMany,
    sent,
    chosen,
    setChosen,
    showRows,
    target,
    setTarget,
    isEmptyNoted: isEmptyNoted && sent.length === 0,
    context,
    sending: send.isPending,
    sendError: send.error,
    previous: () => goTo(step - 1),
    show: async (next: number) => (next < step || (await leave())) && goTo(next),
    next: async () => (await leave()) && goTo(step + 1),
    async send() {
      if (!(await check())) return;
      if (!isListValid) return showRows(wrong);
      if (lacking.length > 0) return showRows(lacking.map(({ index }) => index));
      const body = payload();
      send.mutate(
        { payload: body, key: `${extra.attempt}-${fingerprint(JSON.stringify(body))}` },
        {
          onSuccess({ id }) {
            guard.release();
            onSent(id);
          },
          onError(error) {
            if (isRejection(error)) setExtra((now) => ({ ...now, attempt: freshExtra().attempt }));
            showIssues(error);
          },
        },
      );
    },
  };
}

/** The cell that the server rejected, and the placeholders that it has no value for. */
function rejectionOf(path: string, message: string): { field: string; missing: readonly string[] } {
  const missing = message.match(/\{[^{}]+\}/g) ?? [];
  const isCell = FIELDS.some((field) => field === path) || path.startsWith(valueField(""));
  if (isCell) return { field: path, missing };
  const [name] = missing;
  if (name) return { field: valueField(name.slice(1, -1)), missing };
  return { field: path === "countryCode" ? "recipientPhone" : "recipientName", missing };
}

/** What the placeholders of the recipients are replaced by. */
function useFillContext(
  values: WizardValues,
  list: RecipientList,
  workspaceId: number | undefined,
): FillContext {
  const timeZone = useAccountTimeZone();
  const { data: user } = useQuery(userQuery);
  const contacts = useQuery({ ...contactsQuery(workspaceId ?? 0), enabled: workspaceId !== undefined });
  const known = useMemo(() => knownContacts(contacts.data ?? []), [contacts.data]);
  const names = useStableNames(placeholdersOf(list));
  const { subject, message, documents, dueDate } = values;
  const language = values.language || (user?.languagePreference ?? "en");
  const descriptions = documents.map(({ description }) => ({ description }));
  // As text: the form's values are other objects at each render. All rows are read again after a pause in typing.
  const typed = useDeferredValue(JSON.stringify({ subject, message, documents: descriptions }));
  return useMemo(
    () => ({
      texts: JSON.parse(typed) as FillContext["texts"],
      ...{ names, known, dueDate, day: today(timeZone), language },
    }),
    [typed, names, known, dueDate, timeZone, language],
  );
}

/** The same array as long as it has the same names. */
function useStableNames(names: string[]): readonly string[] {
  const joined = names.join("\n");
  return useMemo(() => (joined === "" ? [] : joined.split("\n")), [joined]);
}

/** The placeholders that each row lacks. A row is read again only if it or the texts have changed. */
function useMissing(list: RecipientList, left: ReadonlySet<number>, context: FillContext): string[][] {
  const cache = useMemo(() => {
    void context;
    return new WeakMap<RecipientRow, string[]>();
  }, [context]);
  return useMemo(() => missingOf(list.rows, left, context, cache), [list.rows, left, context, cache]);
}
