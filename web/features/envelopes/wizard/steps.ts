import type { FieldPath } from "react-hook-form";
import type { WizardValues } from "./wizard.schema";

export const STEPS = ["recipient", "message", "documents", "settings"] as const;
export type StepName = (typeof STEPS)[number];

const STEP_FIELDS: Record<StepName, (keyof WizardValues)[]> = {
  recipient: ["recipientName", "recipientEmail", "countryCode", "phone"],
  message: ["subject", "message"],
  documents: ["documents"],
  settings: ["reminderFrequency", "expirationDate", "notificationPreference"],
};

/** The fields that must be valid before a step is left. */
export function stepFields(step: StepName): FieldPath<WizardValues>[] {
  return STEP_FIELDS[step];
}

/** Whether the step's required fields are filled, valid or not. */
export function isStepFilled(step: StepName, values: WizardValues): boolean {
  if (step === "recipient") return Boolean(values.recipientName.trim() && values.recipientEmail.trim());
  if (step === "message") return Boolean(values.subject.trim());
  if (step === "documents") return values.documents.every(({ name }) => Boolean(name.trim()));
  return Boolean(values.reminderFrequency);
}

/** The form field of a server-side validation issue, and its step. */
export function locateIssue(path: string): { field: FieldPath<WizardValues>; step: number } | undefined {
  const known = path === "recipientPhone" ? "phone" : path;
  const head = known.split(".")[0];
  const step = STEPS.findIndex((name) => STEP_FIELDS[name].some((field) => field === head));
  return step < 0 ? undefined : { field: known as FieldPath<WizardValues>, step };
}
