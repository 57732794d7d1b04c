import type { FieldPath } from "react-hook-form";
import type { WizardValues } from "./wizard.schema";

export const STEPS = ["recipient", "message", "documents", "settings"] as const;
export type StepName = (typeof STEPS)[number];

/** The step that asks for a field; null for what no step asks for. */
const STEP_OF: Record<keyof WizardValues, StepName | null> = {
  updatedAt: null,
  prefill: "documents",
  contactId: null,
  templateId: null,
  recipientName: "recipient",
  recipientEmail: "recipient",
  countryCode: "recipient",
  phone: "recipient",
  language: "recipient",
  storedPhone: null,
  subject: "message",
  message: "message",
  documents: "documents",
  reminderFrequency: "settings",
  expirationDate: "settings",
  dueDate: "settings",
  reminderDays: "settings",
  sendOn: "settings",
  sendHour: "settings",
  assigneeId: "settings",
  notificationPreference: "settings",
};
const FIELDS = Object.keys(STEP_OF) as (keyof WizardValues)[];

/** The fields that must be valid before a step is left. */
export function stepFields(step: StepName): (keyof WizardValues)[] {
  return FIELDS.filter((field) => STEP_OF[field] === step);
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
  const head = FIELDS.find((field) => field === known.split(".")[0]);
  const step = STEPS.findIndex((name) => head && STEP_OF[head] === name);
  return step < 0 ? undefined : { field: known as FieldPath<WizardValues>, step };
}
