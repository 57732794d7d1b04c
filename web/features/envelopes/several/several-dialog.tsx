import { useQuery } from "@tanstack/react-query";
import { MailWarning } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { LoadingDialog } from "../../../components/ui/loading-dialog";
import { Notice } from "../../../components/ui/notice";
import { UnsavedChangesDialog } from "../../../components/ui/unsaved-changes";
import { ApiError } from "../../../lib/api";
import { errorText } from "../../../lib/error-text";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone } from "../../auth/auth.queries";
import { bulkSendQuery } from "../bulk-sends.queries";
import { ResendVerification } from "../notices";
import { StepDocuments } from "../wizard/step-documents";
import { StepMessage } from "../wizard/step-message";
import { StepSettings } from "../wizard/step-settings";
import { STEPS } from "../wizard/steps";
import { StepsDialog } from "../wizard/steps-dialog";
import { type NewEnvelopeOrigin, useOrigin } from "../wizard/use-origin";
import { initialValues, valuesOfCopy, valuesOfUnsent } from "../wizard/wizard-values";
import { EMPTY_LIST, listOfUnsent, rowOfContact } from "./recipient-list";
import { SeveralSummary } from "./several-summary";
import { StepRecipients } from "./step-recipients";
import { type SeveralFormOptions, useSeveralForm } from "./use-several-form";

type SeveralDialogProps = NewEnvelopeOrigin & {
  /** The bulk send whose failed recipients are tried again. */
  retryId: number | undefined;
  onSent: (id: number) => void;
  onClose: () => void;
};

/** Loads what an envelope for several recipients is begun with, then shows its form. */
export default function SeveralDialog(props: SeveralDialogProps) {
  const { templateId, contactId, copyId, retryId, onSent, onClose } = props;
  const { t } = useTranslation(["several", "envelopes"]);
  const day = today(useAccountTimeZone());
  const retried = useQuery({ ...bulkSendQuery(retryId ?? 0), enabled: retryId !== undefined });
  const origin = useOrigin({ sourceId: copyId, templateId, contactId });
  const { envelope, template, contact, workspace, workspaceId } = origin;
  if (retried.data?.unsent) {
    const { unsent, workspaceId } = retried.data;
    return (
      <SeveralForm
        initialValues={valuesOfUnsent(unsent, day)}
        initialList={listOfUnsent(unsent)}
        origin={` retry ${retryId}`}
        workspaceId={workspaceId}
        onSent={onSent}
        onClose={onClose}
      />
    );
  }
  const pending = retryId !== undefined && !retried.data ? retried : origin.pending;
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
  return (
    <SeveralForm
      initialValues={
        envelope ? valuesOfCopy(envelope, day) : initialValues(workspace, template, undefined, day)
      }
      initialList={contact ? { ...EMPTY_LIST, rows: [rowOfContact(contact)] } : EMPTY_LIST}
      origin={origin.key}
      workspaceId={workspaceId}
      onSent={onSent}
      onClose={onClose}
    />
  );
}

type SeveralFormProps = SeveralFormOptions & { onClose: () => void };

/** The wizard's steps with a list of recipients. */
function SeveralForm(props: SeveralFormProps) {
  const { workspaceId, onClose } = props;
  const { t } = useTranslation(["several", "envelopes"]);
  const several = useSeveralForm(props);
  const { step, sent } = several;
  return (
    <StepsDialog
      title={t("title")}
      width="xl"
      names={STEPS.map((name) =>
        name === "recipient" ? t("recipients") : t(`envelopes:wizard.steps.${name}`),
      )}
      wizard={several}
      sendLabel={t("send", { count: sent.length })}
      onSend={() => void several.send()}
      onClose={onClose}
      dialogs={<UnsavedChangesDialog guard={several.guard} />}
    >
      {step === 0 && <StepRecipients workspaceId={workspaceId} several={several} />}
      {step === 1 && (
        <StepMessage placeholders={undefined} columns={several.context.names}>
          <MissingNote lacking={several.lacking} />
        </StepMessage>
      )}
      {step === 2 && <StepDocuments workspaceId={workspaceId} />}
      {step === 3 && (
        <>
          <StepSettings
            workspaceId={workspaceId}
            contactOffer={null}
            summary={<SeveralSummary workspaceId={workspaceId} several={several} />}
          />
          <SendFailure error={several.sendError} />
        </>
      )}
    </StepsDialog>
  );
}

function MissingNote({ lacking }: { lacking: readonly { name: string; names: string }[] }) {
  const { t } = useTranslation("several");
  const [first] = lacking;
  return (
    <p role="status" className="font-medium text-warn text-xs empty:hidden">
      {first && t("missingFor", { names: first.names, name: first.name, count: lacking.length })}
    </p>
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
