import { StepHeading } from "./step-heading";
import { TextField } from "./text-field";
import { T, useTexts } from "./texts";

export type Information = { name: string; email: string };
export type Blank = Record<keyof Information, boolean>;

type StepInformationProps = { information: Information; blank: Blank; moved: boolean };

export function StepInformation({ information, blank, moved }: StepInformationProps) {
  const { t } = useTexts();
  return (
    <>
      <StepHeading moved={moved} hint={<T k="information.hint" />}>
        <T k="steps.information" />
      </StepHeading>
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
