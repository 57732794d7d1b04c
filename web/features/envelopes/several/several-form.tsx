import { MailWarning } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Notice } from "../../../components/ui/notice";
import { UnsavedChangesDialog } from "../../../components/ui/unsaved-changes";
import { ApiError } from "../../../lib/api";
import { errorText } from "../../../lib/error-text";
import { useResendVerification } from "../../settings/settings.queries";
import { StepDocuments } from "../wizard/step-documents";
import { StepMessage } from "../wizard/step-message";
import { StepSettings } from "../wizard/step-settings";
import { STEPS } from "../wizard/steps";
import { StepsDialog } from "../wizard/steps-dialog";
import type { WizardValues } from "../wizard/wizard.schema";
import type { RecipientList } from "./recipient-list";
import { SeveralSummary } from "./several-summary";
import { StepRecipients } from "./step-recipients";
import { useSeveralForm } from "./use-several-form";

type SeveralFormProps = {
  initialValues: WizardValues;
  initialList: RecipientList;
  origin: string;
  workspaceId: number | undefined;
  onSent: (id: number) => void;
  onClose: () => void;
};

/** The wizard's steps with a list of recipients. */
export function SeveralForm(props: SeveralFormProps) {
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
  const resend = useResendVerification();
  const notice = useRef<HTMLDivElement>(null);
  // On a phone it is below what is visible.
  useEffect(() => {
    if (error) notice.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  if (!(error instanceof ApiError) || error.issues.length > 0) return null;
  const isUnverified = error.code === "verify_email" || error.code === "verify_email_sms";
  return (
    <div ref={notice} role="alert" className="mt-4">
      <Notice
        icon={MailWarning}
        title={t("failed")}
        action={
          isUnverified && (
            <Button loading={resend.isPending} disabled={resend.isSuccess} onClick={() => resend.mutate()}>
              {t(resend.isSuccess ? "envelopes:wizard.verify.sent" : "envelopes:wizard.verify.send")}
            </Button>
          )
        }
      >
        <p>{errorText(error, i18n.t)}</p>
      </Notice>
    </div>
  );
}
