import { T, useTexts } from "../translation/use-texts";
import { TextField } from "./text-field";
import type { WizardState } from "./wizard-state";

type StepInformationProps = Pick<WizardState, "information" | "invalid">;

export function StepInformation({ information, invalid }: StepInformationProps) {
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
          error={invalid.name && t(`information.${invalid.name}`)}
        />
        <TextField
          name="email"
          type="email"
          value={information.email}
          error={invalid.email && t(`information.${invalid.email}`)}
        />
      </div>
    </>
  );
}
