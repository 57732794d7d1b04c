import { T, useTexts } from "../translation/use-texts";
import { TextField } from "./text-field";

export type Information = { name: string; email: string };
export type Blank = Record<keyof Information, boolean>;

type StepInformationProps = { information: Information; blank: Blank };

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
