import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";
import { NativeSelect } from "../../components/ui/input";

type RecipientStepperProps = {
  recipients: readonly string[];
  /** The index of the one that is shown. */
  at: number;
  onChoose: (at: number) => void;
};

/** Chooses the recipient whose messages are shown. */
export function RecipientStepper({ recipients, at, onChoose }: RecipientStepperProps) {
  const { t } = useTranslation("envelopes");
  return (
    <div className="mb-3 flex min-w-0 items-center gap-1">
      <IconButton
        icon={ChevronLeft}
        label={t("wizard.look.previous")}
        disabled={at === 0}
        onClick={() => onChoose(at - 1)}
        className="size-9"
      />
      <NativeSelect
        aria-label={t("wizard.look.recipient")}
        className="min-w-0 flex-1"
        value={String(at)}
        options={recipients.map((label, index) => ({ value: String(index), label }))}
        onChange={({ target }) => onChoose(Number(target.value))}
      />
      <IconButton
        icon={ChevronRight}
        label={t("wizard.look.next")}
        disabled={at === recipients.length - 1}
        onClick={() => onChoose(at + 1)}
        className="size-9"
      />
    </div>
  );
}
