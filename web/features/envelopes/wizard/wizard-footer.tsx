import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";

type WizardFooterProps = {
  first: boolean;
  last: boolean;
  editing: boolean;
  canDraft: boolean;
  drafting: boolean;
  sending: boolean;
  onCancel: () => void;
  onPrevious: () => void;
  onNext: () => void;
  onDraft: () => void;
  onSend: () => void;
};

export function WizardFooter(props: WizardFooterProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  const pending = props.drafting || props.sending;
  return (
    <>
      <Button variant="ghost" onClick={props.onCancel} className="mr-auto">
        {t("common:cancel")}
      </Button>
      <Button disabled={props.first || pending} onClick={props.onPrevious}>
        {t("wizard.previous")}
      </Button>
      {!props.last && (
        <Button variant="primary" onClick={props.onNext}>
          {t("wizard.next")}
        </Button>
      )}
      {props.last && props.canDraft && (
        <Button loading={props.drafting} disabled={pending} onClick={props.onDraft}>
          {t("wizard.saveDraft")}
        </Button>
      )}
      {props.last && (
        <Button variant="primary" loading={props.sending} disabled={pending} onClick={props.onSend}>
          {props.editing ? t("wizard.update") : t("wizard.create")}
        </Button>
      )}
    </>
  );
}
