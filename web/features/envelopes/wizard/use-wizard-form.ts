import { valibotResolver } from "@hookform/resolvers/valibot";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { i18n } from "i18next";
import { useEffect, useState } from "react";
import { type FieldPath, type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { normalizeAddress } from "../../../../worker/contract/patterns";
import { type MissingPlaceholders, typedPlaceholders } from "../../../../worker/contract/placeholders";
import { useChangedMeanwhile } from "../../../components/ui/changed-meanwhile";
import { dismissFailure } from "../../../components/ui/toast-store";
import { useUnsavedChanges } from "../../../components/ui/unsaved-changes";
import { ApiError } from "../../../lib/api";
import { isUntouched } from "../../../lib/document-entries";
import { errorText, messageKeyOf } from "../../../lib/error-text";
import { toInternational } from "../../../lib/phone";
import { saveDraft } from "../../../lib/session-draft";
import { useAccountTimeZone, useDraftKey } from "../../auth/auth.queries";
import { type Contact, contactOf, contactsQuery } from "../../contacts/contacts.queries";
import { envelopeQuery } from "../envelopes.queries";
import { severalDraft } from "../several/recipient-list";
import { useDescribeValues } from "./describe-values";
import { usePlaceholders } from "./placeholders";
import { isSavedAsDraft, useSaveEnvelope } from "./save-envelope.queries";
import { locateIssue, STEPS } from "./steps";
import { canSkip, stepAfterSkip, useRestoredStep, useStepCheck } from "./use-restored-step";
import { type WizardValues, wizardSchema } from "./wizard.schema";
import { toPayload, valuesFromEnvelope } from "./wizard-values";

type WizardFormOptions = {
  initialValues: WizardValues;
  editId: number | undefined;
  /** What a new envelope was begun with, which tells its unsent input apart. */
  origin: string;
  sent: boolean;
  workspaceId: number | undefined;
  onClose: () => void;
};

/** The wizard's form and its step, which is checked before it is left; saves and sends the envelope. */
export function useWizardForm(options: WizardFormOptions) {
  const { initialValues, editId, origin, sent, workspaceId, onClose } = options;
  const { t, i18n } = useTranslation(["common", "validation", "errors", "envelopes"]);
  const client = useQueryClient();
  const timeZone = useAccountTimeZone();
  const form = useForm<WizardValues>({
    resolver: valibotResolver(wizardSchema(timeZone, sent ? initialValues.dueDate : undefined)),
    defaultValues: initialValues,
    // Otherwise missing fields of later steps prevent the check of number and country.
    criteriaMode: "all",
  });
  const [savedAsDraft, setSavedAsDraft] = useState(false);
  const { step, setStep, isDirty, reached, restored, startOver } = useRestoredStep(form, {
    initialValues,
    initialExtra: null,
    key: useDraftKey(`wizard${origin}`, editId),
  });
  const severalKey = useDraftKey(`several${origin}`, undefined);
  const recurringKey = useDraftKey(`several recurring${origin}`, undefined);
  const draft = useSaveEnvelope("draft", editId);
  const send = useSaveEnvelope("sent", editId);
  const guard = useUnsavedChanges(isDirty, send.isPending || draft.isPending);
  const name = STEPS[step] ?? "recipient";
  const recipient = useRecipientContact(form, { workspaceId, needed: step > 0 });
  const values = useWatch({ control: form.control }) as WizardValues;
  const found = usePlaceholders({ ...values, contactId: values.contactId ?? recipient.knownId });
  // What was sent is filled already.
  const placeholders = sent ? undefined : found;

  const conflict = useChangedMeanwhile({
    form,
    readStored: async () => valuesFromEnvelope(await client.fetchQuery(envelopeQuery(editId ?? 0))),
    describe: useDescribeValues(workspaceId),
    onShown: () => setStep(0),
  });
  const check = useStepCheck(form, name);
  const save = async (mutation: typeof send) => {
    if (!(await check())) return;
    if (mutation === send && placeholders?.missing.length) return showMissing(placeholders.missing);
    const contact = mutation === send && recipient.fields;
    mutation.mutate(
      { ...toPayload(form.getValues(), workspaceId), ...contact },
      {
        onSuccess: () => {
          guard.release();
          onClose();
        },
        onError: (error) => {
          void conflict.ask(error, () => void save(mutation));
          if (!isSavedAsDraft(error)) return showFailure(error);
          guard.release();
          setSavedAsDraft(true);
        },
      },
    );
  };
  const showMissing = (missing: readonly MissingPlaceholders[]) => {
    const located = missing.flatMap(({ path, names }) => {
      const location = locateIssue(path);
      if (!location) return [];
      const message = t("envelopes:placeholders.missing", { names: typedPlaceholders(names) });
      form.setError(location.field, { type: "placeholder", message });
      return [location];
    });
    goToField(firstOf(located));
  };
  const showFailure = (error: unknown) => goToField(showIssues(error, form, i18n.t));
  const [wrong, setWrong] = useState<Located>();
  const goToField = (located: Located | undefined) => {
    setStep(located?.step ?? step);
    setWrong(located);
  };
  // A step focuses its first field when it is shown.
  useEffect(() => {
    if (wrong) form.setFocus(wrong.field);
  }, [wrong, form]);
  const goTo = (next: number) => {
    dismissFailure();
    setStep(next);
  };
  return {
    form,
    guard,
    step,
    /** It was to be sent, but the account's address is not verified yet. */
    savedAsDraft,
    drafting: draft.isPending || (conflict.reading && draft.isError),
    sending: send.isPending || (conflict.reading && send.isError),
    contactOffer: recipient.offer,
    contactId: values.contactId ?? recipient.knownId,
    conflict,
    placeholders,
    ...{ reached, restored, startOver },
    previous: () => goTo(step - 1),
    /** Goes to a step that was shown before; forwards only if the current one is valid. */
    show: async (next: number) => (next < step || (await check())) && goTo(next),
    next: async () => (await check()) && setStep(step + 1),
    skip: canSkip(step, values) ? async () => (await check()) && goTo(await stepAfterSkip(form)) : undefined,
    saveDraft: () => void save(draft),
    /** Continues with a list of recipients, with what was typed. */
    carryOver(to: "several" | "recurring", onLeave: () => void) {
      const key = to === "several" ? severalKey : recurringKey;
      if (isDirty) saveDraft(key, severalDraft(form.getValues()));
      guard.release();
      onLeave();
    },
    /** Saves what there is, and continues to where the user was going. */
    saveDraftAndLeave() {
      const values = form.getValues();
      const documents = values.documents.filter((document) => !isUntouched(document));
      draft.mutate(toPayload({ ...values, documents }, workspaceId), {
        onSuccess() {
          guard.release();
          guard.leave();
        },
        onError(error) {
          guard.stay();
          void conflict.ask(error, () => void save(draft));
          showFailure(error);
        },
      });
    },
    send: () => void save(send),
  };
}

type Located = { field: FieldPath<WizardValues>; step: number };

/** The first one of the first step that has any. */
const firstOf = (located: readonly Located[]) => located.toSorted((one, other) => one.step - other.step)[0];

/** Shows what the server rejected under its fields; returns the first of these. */
function showIssues(
  error: unknown,
  form: UseFormReturn<WizardValues>,
  translate: i18n["t"],
): Located | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === "recipient_unsubscribed") {
    form.setError("recipientEmail", { type: "server", message: errorText(error, translate) });
    return { field: "recipientEmail", step: 0 };
  }
  const located = error.issues.flatMap(({ path, message }) => {
    const location = locateIssue(path);
    return location ? [{ ...location, message }] : [];
  });
  for (const { field, message } of located)
    form.setError(field, { type: "server", message: messageKeyOf(message) ?? message });
  return firstOf(located);
}

/** Whether the recipient is saved as a contact when the envelope is sent, and to which contact the address belongs. */
function useRecipientContact(
  { control }: UseFormReturn<WizardValues>,
  { workspaceId, needed }: { workspaceId: number | undefined; needed: boolean },
) {
  const values = useWatch({ control }) as WizardValues;
  const [saved, setSaved] = useState(true);
  const filter = contactFilter(values);
  const contacts = useInfiniteQuery({
    ...contactsQuery({ workspaceId: workspaceId ?? 0, filter }),
    placeholderData: undefined,
    enabled: needed && workspaceId !== undefined && values.contactId === null && filter !== undefined,
  });
  const known =
    values.contactId === null ? contacts.data?.find((contact) => isRecipient(contact, values)) : null;
  // Until the contacts are loaded, nobody knows whether the recipient is one.
  const isNew = known === undefined && contacts.data !== undefined && !contacts.isFetching;
  return {
    offer: isNew ? { saved, onChange: setSaved } : null,
    /** The contact to which the typed address belongs. */
    knownId: known?.id ?? null,
    /** What the payload gains. */
    fields:
      isNew && saved
        ? { newContact: { ...newContact(values), workspaceId: workspaceId ?? null } }
        : known && { contactId: known.id },
  };
}

/** Compared by e-mail address; without one, by phone number. */
function isRecipient({ email, phone }: Contact, values: WizardValues): boolean {
  const address = normalizeAddress(values.recipientEmail);
  if (address) return normalizeAddress(email ?? "") === address;
  const number = toInternational(values.countryCode, values.phone);
  return number !== "" && phone?.replace(/[^+\d]/g, "") === number;
}

/** A part of what a contact of the recipient has; of a phone number its end, which is the same however it is typed. */
const contactFilter = (values: WizardValues): string | undefined =>
  normalizeAddress(values.recipientEmail).slice(0, LIMITS.filter) ||
  toInternational(values.countryCode, values.phone).slice(-4) ||
  undefined;

const newContact = (values: WizardValues) =>
  contactOf({
    name: values.recipientName,
    email: values.recipientEmail.trim() || null,
    phone: toInternational(values.countryCode, values.phone) || null,
    language: values.language || null,
  });
