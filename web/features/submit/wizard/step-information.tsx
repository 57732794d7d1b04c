import { T, useTexts } from "../translation/use-texts";
import { TextField } from "./text-field";
import type { WizardState } from "./wizard-state";

type StepInformationProps = Pick<WizardState, "information" | "blank">;

export function StepInformation({ information, blank }: StepInformationProps) {
  const { t } = useTexts();
  return (
    <>
      <p className="text-ink-soft">
        <T k="information.hint" />
      </p>
      <div className="mt-5 flex flex-col gap-5">
        <TextField
          name="name"
          type="text"
          value={information.name}
          error={blank.name ? t("information.nameMissing") : undefined}
        />
        <TextField
          name="email"
          type="email"
          value={information.email}
          error={blank.email ? t("information.emailMissing") : undefined}
        />
      </div>
    </>
  );
}
