import { useQuery } from "@tanstack/react-query";
import { MailWarning } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { addDays, daysBetween } from "../../../../worker/contract/days";
import { datesOn } from "../../../../worker/contract/series-days";
import { Button } from "../../../components/ui/button";
import { NativeSelect } from "../../../components/ui/input";
import { LoadingDialog } from "../../../components/ui/loading-dialog";
import { Notice } from "../../../components/ui/notice";
import { UnsavedChangesDialog } from "../../../components/ui/unsaved-changes";
import { ApiError } from "../../../lib/api";
import { errorText } from "../../../lib/error-text";
import { today } from "../../../lib/time-zone";
import { useFormat } from "../../../lib/use-format";
import { useAccountTimeZone } from "../../auth/auth.queries";
import { useAllContacts } from "../../contacts/contacts.queries";
import { bulkSendQuery } from "../bulk-sends.queries";
import { Line } from "../message-previews";
import { ResendVerification } from "../notices";
import { RecipientStepper } from "../recipient-stepper";
import { type Series, seriesQuery } from "../series.queries";
import { Messages, Summary } from "../wizard/envelope-summary";
import { StepDocuments } from "../wizard/step-documents";
import { StepMessage } from "../wizard/step-message";
import { StepSettings } from "../wizard/step-settings";
import { STEPS } from "../wizard/steps";
import { StepsDialog } from "../wizard/steps-dialog";
import { type NewEnvelopeOrigin, useOrigin } from "../wizard/use-origin";
import { initialValues, toPayload, valuesOfCopy, valuesOfUnsent } from "../wizard/wizard-values";
import {
  EMPTY_LIST,
  listOfUnsent,
  recipientOf,
  rowOfContact,
  rowsOfSeries,
  textsFor,
} from "./recipient-list";
import { freshSchedule, scheduleOf } from "./schedule";
import { ScheduleFields } from "./schedule-fields";
import { StepRecipients } from "./step-recipients";
import { type SeveralFormOptions, useSeveralForm } from "./use-several-form";

type SeveralDialogProps = NewEnvelopeOrigin & {
  /** The bulk send whose failed recipients are tried again. */
  retryId: number | undefined;
  /** The ids of the contacts that it is for, with commas. */
  contactIds: string | undefined;
  /** Whether it is sent again and again, and the series that is changed. */
  recurring: boolean;
  seriesId: number | undefined;
  onSent: (id: number) => void;
  onClose: () => void;
};

/** Loads what an envelope for several recipients is begun with, then shows its form. */
export default function SeveralDialog(props: SeveralDialogProps) {
  const { templateId, contactId, contactIds, copyId, retryId, recurring, seriesId, onSent, onClose } = props;
  const { t } = useTranslation(["several", "envelopes"]);
  const day = today(useAccountTimeZone());
  const changed = useQuery({ ...seriesQuery(seriesId ?? 0), enabled: seriesId !== undefined, staleTime: 0 });
  const retried = useQuery({ ...bulkSendQuery(retryId ?? 0), enabled: retryId !== undefined });
  const origin = useOrigin({ sourceId: copyId, templateId, contactId });
  const { envelope, template, contact, workspace, workspaceId } = origin;
  const contacts = useAllContacts(contactIds === undefined ? undefined : workspaceId);
  const chosen = new Set(contactIds?.split(",").map(Number));
  const isLoading = contactIds !== undefined && (!contacts.data || contacts.hasNextPage);
  const [series, setSeries] = useState<Series>();
  const formOf = (begun: Omit<SeveralFormOptions, "onSent">) => (
    <SeveralForm {...begun} onSent={onSent} onClose={onClose} />
  );
  // As it was when the form was opened: saving loads it again.
  if (!series && changed.data && !changed.isFetching) setSeries(changed.data);
  if (retried.data?.unsent) {
    const { unsent, workspaceId } = retried.data;
    return formOf({
      initialValues: valuesOfUnsent(unsent, day),
      initialList: listOfUnsent(unsent),
      origin: ` retry ${retryId}`,
      workspaceId,
    });
  }
  if (series) {
    const first = series.nextOn && series.nextOn >= day ? series.nextOn : day;
    const { sendHour } = series;
    const dates = { ...datesOn(series.envelope, first), sendOn: first, sendHour };
    return formOf({
      initialValues: valuesOfUnsent({ ...series.envelope, ...dates, recipients: [] }, day),
      initialList: { ...EMPTY_LIST, rows: rowsOfSeries(series) },
      recurring: { schedule: scheduleOf(series), series },
      origin: ` series ${series.id} ${series.updatedAt}`,
      workspaceId: series.workspaceId,
    });
  }
  const stored = seriesId !== undefined ? changed : retryId !== undefined ? retried : undefined;
  const pending =
    stored && !(stored === retried && retried.data)
      ? stored
      : (origin.pending ?? (isLoading ? contacts : undefined));
  if (pending)
    return (
      <LoadingDialog
        title={t("title")}
        query={pending}
        failedTitle={t("envelopes:wizard.loadFailed")}
        width="xl"
        onClose={onClose}
      />
    );
  const listed = contact ? [contact] : (contacts.data ?? []).filter(({ id }) => chosen.has(id));
  return formOf({
    initialValues: envelope
      ? valuesOfCopy(envelope, day)
      : initialValues(workspace, template, undefined, day),
    initialList: { ...EMPTY_LIST, rows: listed.map(rowOfContact) },
    recurring: recurring ? { schedule: freshSchedule(day) } : undefined,
    origin: `${recurring ? " recurring" : ""}${origin.key}${contactIds === undefined ? "" : ` contacts ${contactIds}`}`,
    workspaceId,
  });
}

type SeveralFormProps = SeveralFormOptions & { onClose: () => void };

/** The wizard's steps with a list of recipients. */
function SeveralForm(props: SeveralFormProps) {
  const { workspaceId, recurring, onClose } = props;
  const { t } = useTranslation(["several", "envelopes", "schedules"]);
  const several = useSeveralForm(props);
  const { step, sent, schedule, lacking } = several;
  const isChange = recurring?.series !== undefined;
  return (
    <StepsDialog
      title={schedule ? t(isChange ? "schedules:recurring.edit" : "schedules:recurring.new") : t("title")}
      width="xl"
      names={STEPS.map((name) =>
        name === "recipient" ? t("recipients") : t(`envelopes:wizard.steps.${name}`),
      )}
      wizard={several}
      sendLabel={
        schedule
          ? t(isChange ? "schedules:recurring.save" : "schedules:recurring.create")
          : t("send", { count: sent.length })
      }
      onSend={() => void several.send()}
      onClose={onClose}
      dialogs={<UnsavedChangesDialog guard={several.guard} />}
    >
      {step === 0 && <StepRecipients workspaceId={workspaceId} several={several} />}
      {step === 1 && (
        <StepMessage placeholders={undefined} columns={several.context.names}>
          <p role="status" className="font-medium text-warn text-xs empty:sr-only">
            {lacking[0] && t("missingFor", { ...lacking[0], count: lacking.length })}
          </p>
        </StepMessage>
      )}
      {step === 2 && <StepDocuments several workspaceId={workspaceId} />}
      {step === 3 && (
        <>
          <StepSettings
            workspaceId={workspaceId}
            contactOffer={several.contactOffer}
            sending={schedule && <ScheduleFields schedule={schedule} several={several} />}
            summary={<SeveralSummary workspaceId={workspaceId} several={several} />}
          />
          <SendFailure error={several.sendError} />
        </>
      )}
    </StepsDialog>
  );
}

/** Why nothing was sent, as long as the form shows it. */
function SendFailure({ error }: { error: Error | null }) {
  const { t, i18n } = useTranslation(["several", "envelopes", "errors", "validation"]);
  const notice = useRef<HTMLDivElement>(null);
  // On a phone it is below what is visible.
  useEffect(() => {
    if (error) notice.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  if (!(error instanceof ApiError) || error.issues.length > 0) return null;
  const isUnverified = error.code === "verify_email" || error.code === "verify_email_sms";
  return (
    <div ref={notice} role="alert" className="mt-4">
      <Notice icon={MailWarning} title={t("failed")} action={isUnverified && <ResendVerification />}>
        <p>{errorText(error, i18n.t)}</p>
      </Notice>
    </div>
  );
}

/** How many recipients without a value are named. */
const NAMED = 8;

type SeveralSummaryProps = { workspaceId: number | undefined; several: ReturnType<typeof useSeveralForm> };

/** What will be sent, in short; the messages to any of the recipients on demand. */
function SeveralSummary({ workspaceId, several }: SeveralSummaryProps) {
  const { t } = useTranslation(["several", "envelopes", "schedules"]);
  const format = useFormat();
  const { values, sent, days } = several;
  const [chosen, setChosen] = useState(0);
  const [chosenDay, setChosenDay] = useState(0);
  const day = days[chosenDay] ?? days[0];
  const at = Math.min(chosen, sent.length - 1);
  const row = sent[at]?.row;
  return (
    <Summary
      recipient={<Line label={t("recipients")}>{t("count", { count: sent.length })}</Line>}
      subject={row ? textsFor(row, contextOn(several, day)).texts.subject : values.subject}
      values={values}
      notes={<Missing several={several} />}
    >
      {row && (
        <>
          <RecipientStepper
            recipients={sent.map(({ row: one }) =>
              [one.recipientName, one.recipientEmail || one.recipientPhone].filter(Boolean).join(" · "),
            )}
            at={at}
            onChoose={setChosen}
          />
          {day !== undefined && (
            <NativeSelect
              aria-label={t("schedules:recurring.previewDay")}
              className="mb-3"
              value={String(days.indexOf(day))}
              options={days.map((one, index) => ({ value: String(index), label: format.day(one) }))}
              onChange={({ target }) => setChosenDay(Number(target.value))}
            />
          )}
          <Messages payload={payloadFor(several, at, workspaceId, day)} kind="invitation" />
        </>
      )}
    </Summary>
  );
}

/** How far an occurrence is from the first one, to which the dates of the form belong. */
const movedBy = (date: string, { sendOn }: { sendOn: string }, day: string | undefined) =>
  date === "" || sendOn === "" || day === undefined ? date : addDays(date, daysBetween(sendOn, day));

const contextOn = ({ context, values }: SeveralSummaryProps["several"], day: string | undefined) =>
  day === undefined ? context : { ...context, day, dueDate: movedBy(values.dueDate, values, day) };

/** The envelope of one recipient. Its placeholders are replaced, so that every brace in it is one. */
function payloadFor(
  several: SeveralSummaryProps["several"],
  at: number,
  workspaceId: number | undefined,
  day: string | undefined,
) {
  const { values, sent } = several;
  const context = contextOn(several, day);
  const payload = toPayload(
    {
      ...values,
      dueDate: movedBy(values.dueDate, values, day),
      expirationDate: movedBy(values.expirationDate, values, day),
      ...(day !== undefined && { sendOn: "" }),
    },
    workspaceId,
  );
  const row = sent[at]?.row;
  if (!row) return payload;
  const { values: _, language, contactId: _c, ...recipient } = recipientOf(row, context.known, context.names);
  const { texts } = textsFor(row, context);
  const escaped = (text: string) => text.replaceAll("{", "{{");
  return {
    ...payload,
    ...recipient,
    recipientEmail: recipient.recipientEmail ?? "",
    recipientPhone: recipient.recipientPhone ?? "",
    language: language ?? payload.language,
    subject: escaped(texts.subject),
    message: escaped(texts.message),
    documents: payload.documents.map((document, index) => ({
      ...document,
      description: escaped(texts.documents[index]?.description ?? ""),
    })),
  };
}

/** Who lacks a value for a placeholder. */
function Missing({ several }: { several: SeveralSummaryProps["several"] }) {
  const { t } = useTranslation(["several", "common"]);
  const { lacking } = several;
  return (
    <div role="status" className="mt-2 text-xs empty:sr-only">
      {lacking.length > 0 && (
        <>
          <p className="font-medium text-warn">{t("missing", { count: lacking.length })}</p>
          <ul className="mt-1 list-disc pl-4 text-ink-soft">
            {lacking.slice(0, NAMED).map(({ index, name, names }) => (
              <li key={index} className="break-words">
                {t("common:labelled", { label: name, value: names })}
              </li>
            ))}
            {lacking.length > NAMED && <li>{t("more", { count: lacking.length - NAMED })}</li>}
          </ul>
          <Button
            size="sm"
            className="mt-2"
            onClick={() => several.showRows(lacking.map(({ index }) => index))}
          >
            {t("showRows")}
          </Button>
        </>
      )}
    </div>
  );
}
