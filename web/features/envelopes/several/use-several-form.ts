import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import type { CellTarget } from "../../../components/list/list-table";
import { dismissFailure } from "../../../components/ui/toast-store";
import { useUnsavedChanges } from "../../../components/ui/unsaved-changes";
import { ApiError, isRejection } from "../../../lib/api";
import { messageKeyOf } from "../../../lib/error-text";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone, useDraftKey, userQuery } from "../../auth/auth.queries";
import { loadedContacts, useAllContacts, useImportContacts } from "../../contacts/contacts.queries";
import { useSendToSeveral } from "../bulk-sends.queries";
import { type Series, useSaveSeries } from "../series.queries";
import { locateIssue, STEPS } from "../wizard/steps";
import { canSkip, stepAfterSkip, useRestoredStep, useStepCheck } from "../wizard/use-restored-step";
import { type WizardValues, wizardSchema } from "../wizard/wizard.schema";
import { toPayload } from "../wizard/wizard-values";
import {
  type FillContext,
  fingerprint,
  freshExtra,
  type KnownContacts,
  knownContacts,
  newContact,
  newRecipients,
  placeholdersOf,
  type RecipientList,
  type RecipientRow,
  recipientOf,
  rowsOfSeries,
  withoutRecipient,
} from "./recipient-list";
import { datesAsDays, nextDays, type Schedule, scheduleFields, unnamed } from "./schedule";
import { useRowProblems } from "./use-row-problems";

/** What the path of an issue begins with that all recipients have in common. */
const ENVELOPE = "envelope.";

export type SeveralFormOptions = {
  initialValues: WizardValues;
  initialList: RecipientList;
  /** What it was begun with, which tells its unsent input apart. */
  origin: string;
  workspaceId: number | undefined;
  /** When it is sent again and again; undefined if it is sent once. */
  recurring?: { schedule: Schedule; series?: Series | undefined } | undefined;
  /** It is being sent, as a group with this id; or is stored as a series. */
  onSent: (id: number) => void;
};

/** The form of an envelope for several recipients: the steps of the wizard, with a list instead of a recipient. */
export function useSeveralForm(options: SeveralFormOptions) {
  const { workspaceId, recurring, onSent } = options;
  const { form, list, setList, schedule, attempt, renewAttempt, step, setStep, isDirty, ...progress } =
    useFormWithList(options);
  const timeZone = useAccountTimeZone();
  const days = schedule ? nextDays(schedule, today(timeZone), recurring?.series) : [];
  const values = useWatch({ control: form.control }) as WizardValues;
  const left = useMemo(() => new Set(list.left), [list.left]);
  const context = useFillContext(values, list, workspaceId);
  const { sent, wrong, lacking, problemOf, showRejected } = useRowProblems({
    list,
    left,
    preference: values.notificationPreference,
    context,
  });
  const tooMany = Math.max(0, sent.length - LIMITS.recipientsPerBulkSend);
  const isListValid = sent.length > 0 && tooMany === 0 && wrong.length === 0;
  const check = useStepCheck(form, STEPS[step] ?? "recipient");
  const once = useSendToSeveral();
  const again = useSaveSeries();
  const send = schedule ? again : once;
  const isLast = step === STEPS.length - 1;
  const contacts = useNewContacts(isLast ? sent.map(({ row }) => row) : [], context.known, workspaceId);
  const sending = send.isPending || contacts.saving;
  const guard = useUnsavedChanges(isDirty, sending);
  /** The rows that needed a correction when only these were chosen. */
  const [chosen, setChosen] = useState<readonly number[] | null>(null);
  /** The cell of the list that gets the focus. */
  const [target, setTarget] = useState<CellTarget | null>(null);
  /** It was to be continued without any recipient. */
  const [isEmptyNoted, setEmptyNoted] = useState(false);

  const showRows = (rows: readonly number[]) => {
    const [first] = rows;
    setChosen(rows);
    setTarget(first === undefined ? null : { index: first, field: problemOf(first)?.field ?? "" });
    setStep(0);
  };
  const showIssues = (error: unknown) => {
    if (!(error instanceof ApiError)) return;
    const cells = showRejected(error.issues);
    const [first] = cells;
    if (first) {
      setTarget(first);
      setChosen(cells.map(({ index }) => index).sort((one, other) => one - other));
    }
    const steps = first ? [0] : [];
    for (const { path: given, message } of error.issues) {
      const path = given.replace("InDays", "Date").replace("expiresDate", "expirationDate");
      const location = path.startsWith(ENVELOPE) && locateIssue(path.slice(ENVELOPE.length));
      if (!location) continue;
      form.setError(location.field, { type: "server", message: messageKeyOf(message) ?? message });
      steps.push(location.step);
    }
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
    sending,
    contactOffer: contacts.offer,
    sendError: send.error,
    previous: () => goTo(step - 1),
    show: async (next: number) => (next < step || (await leave())) && goTo(next),
    next: async () => (await leave()) && goTo(step + 1),
    skip: canSkip(step, values) ? async () => (await leave()) && goTo(await stepAfterSkip(form)) : undefined,
    async send() {
      if (!(await check())) return;
      if (!isListValid) return showRows(wrong);
      if (lacking.length > 0) return showRows(lacking.map(({ index }) => index));
      const known = await contacts.save();
      if (!known) return;
      const toRecipient = (row: RecipientRow) => recipientOf(row, known, context.names);
      const { shared, series } = payloadOf(form.getValues(), workspaceId, schedule);
      const handlers = {
        onSuccess({ id }: { id: number }) {
          guard.release();
          onSent(id);
        },
        onError(error: Error) {
          if (isRejection(error)) renewAttempt();
          showIssues(error);
        },
      };
      const rows = sent.map(({ row }) => row);
      const keyOf = (payload: object) => `${attempt}-${fingerprint(JSON.stringify(payload))}`;
      if (series) {
        const changes = recurring?.series && changedRecipients(recurring.series, rows, toRecipient);
        const recipients = changes?.added ?? rows.map(toRecipient);
        const stored = recurring?.series && { series: recurring.series, removed: changes?.removed ?? [] };
        again.mutate({ payload: series, recipients, stored, key: keyOf({ series, recipients }) }, handlers);
        return;
      }
      const payload = { envelope: shared, recipients: rows.map(toRecipient) };
      once.mutate({ payload, key: keyOf(payload) }, handlers);
    },
    /** When it is sent, of what is sent again and again, and the next days. */
    schedule,
    setSchedule: progress.setSchedule,
    days,
  };
}

/** The form and the list beside it, which are saved and restored together. */
function useFormWithList({ initialValues, initialList, recurring, origin }: SeveralFormOptions) {
  const timeZone = useAccountTimeZone();
  const [fresh] = useState(() => ({
    values: withoutRecipient(initialValues),
    extra: { ...freshExtra(), list: initialList, schedule: recurring?.schedule },
  }));
  const form = useForm<WizardValues>({
    resolver: valibotResolver(wizardSchema(timeZone)),
    defaultValues: fresh.values,
    criteriaMode: "all",
  });
  const { extra, setExtra, restored, ...progress } = useRestoredStep(form, {
    initialValues: fresh.values,
    initialExtra: fresh.extra,
    key: useDraftKey(`several${origin}`, undefined),
  });
  const [isCarried] = useState(extra.isCarried);
  const setList = useCallback(
    (change: (list: RecipientList) => RecipientList) =>
      setExtra((now) => ({ ...now, isCarried: false, list: change(now.list) })),
    [setExtra],
  );
  return {
    form,
    list: extra.list,
    setList,
    schedule: recurring && (extra.schedule ?? recurring.schedule),
    setSchedule: (schedule: Schedule) => setExtra((now) => ({ ...now, isCarried: false, schedule })),
    /** What tells this attempt to send apart. */
    attempt: extra.attempt,
    renewAttempt: () => setExtra((now) => ({ ...now, attempt: freshExtra().attempt })),
    ...progress,
    restored: restored && !isCarried,
  };
}

/** What all recipients have in common and, of a series, when it is sent. */
function payloadOf(values: WizardValues, workspaceId: number | undefined, schedule: Schedule | undefined) {
  const shared = sharedPayload(values, workspaceId);
  if (!schedule) return { shared };
  const { dueDate: _d, expirationDate: _e, sendOn: _o, sendHour, ...envelope } = shared;
  return {
    series: {
      ...{ name: schedule.name.trim() || unnamed(values.subject), sendHour, ...scheduleFields(schedule) },
      envelope: { ...envelope, ...datesAsDays(values) },
      ...(workspaceId !== undefined && { workspaceId }),
    },
  };
}

/** Whom a series gets and loses by its edited list: one that was changed is taken out and added. */
function changedRecipients<Recipient>(
  series: Series,
  rows: readonly RecipientRow[],
  toRecipient: (row: RecipientRow) => Recipient,
) {
  const before = new Map(
    rowsOfSeries(series).map((row) => [row.recipientId, JSON.stringify(toRecipient(row))]),
  );
  const isKept = (row: RecipientRow) => before.get(row.recipientId) === JSON.stringify(toRecipient(row));
  const kept = new Set(rows.filter(isKept).map(({ recipientId }) => recipientId));
  return {
    added: rows.filter((row) => !isKept(row)).map(toRecipient),
    removed: series.recipients.map(({ id }) => id).filter((id) => !kept.has(String(id))),
  };
}

/** The offer to save as contacts who is none yet, before anything is sent. */
function useNewContacts(
  rows: readonly RecipientRow[],
  known: KnownContacts,
  workspaceId: number | undefined,
) {
  const { t } = useTranslation("several");
  const client = useQueryClient();
  const { data, hasNextPage } = useAllContacts(workspaceId);
  const [saved, setSaved] = useState(false);
  const { mutateAsync, isPending } = useImportContacts();
  // Until all contacts are loaded, nobody knows who is one.
  const added = data && !hasNextPage ? newRecipients(rows, known) : [];
  const label = t("saveContacts", { count: added.length });
  return {
    offer: added.length > 0 ? { label, saved, onChange: setSaved } : null,
    saving: isPending,
    /** @returns the contacts with those; undefined after a failure, which a toast names */
    async save(): Promise<KnownContacts | undefined> {
      if (!saved || added.length === 0 || workspaceId === undefined) return known;
      const list = { contacts: added.map(newContact), match: "email", workspaceId } as const;
      return mutateAsync(list).then(
        () => knownContacts(loadedContacts(client, workspaceId)),
        () => undefined,
      );
    },
  };
}

/** What all recipients have in common. */
function sharedPayload(values: WizardValues, workspaceId: number | undefined) {
  const {
    recipientName: _n,
    recipientEmail: _e,
    recipientPhone: _p,
    countryCode: _c,
    contactId: _i,
    updatedAt: _u,
    ...shared
  } = toPayload(values, workspaceId);
  return { ...shared, prefill: values.prefill };
}

/** What the placeholders of the recipients are replaced by. */
function useFillContext(
  values: WizardValues,
  list: RecipientList,
  workspaceId: number | undefined,
): FillContext {
  const timeZone = useAccountTimeZone();
  const { data: user } = useQuery(userQuery);
  const contacts = useAllContacts(workspaceId);
  const known = useMemo(() => knownContacts(contacts.data ?? []), [contacts.data]);
  const names = useStableNames(placeholdersOf(list));
  const { subject, message, documents, dueDate, sendOn } = values;
  const language = values.language || (user?.languagePreference ?? "en");
  const descriptions = documents.map(({ description }) => ({ description }));
  // As text: the form's values are other objects at each render. All rows are read again after a pause in typing.
  const typed = useDeferredValue(JSON.stringify({ subject, message, documents: descriptions }));
  return useMemo(
    () => ({
      texts: JSON.parse(typed) as FillContext["texts"],
      ...{ names, known, dueDate, day: sendOn || today(timeZone), language },
    }),
    [typed, names, known, dueDate, sendOn, timeZone, language],
  );
}

/** The same array as long as it has the same names. */
function useStableNames(names: string[]): readonly string[] {
  const joined = names.join("\n");
  return useMemo(() => (joined === "" ? [] : joined.split("\n")), [joined]);
}
