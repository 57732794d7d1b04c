import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { DOCUMENT_TYPES, USAGE_TYPES } from "../../../worker/contract/options";
import { filled, messageKey, optionalText, requiredText } from "../../lib/form";
import type { User } from "../auth/auth.queries";

const STEPS = ["welcome", "about", "usage", "ready"] as const;
export type StepName = (typeof STEPS)[number];

/** Who joins a workspace of others is not asked how they will use it. */
export const stepsOf = (joins: boolean): readonly StepName[] =>
  joins ? STEPS.filter((name) => name !== "usage") : STEPS;

export const onboardingSchema = v.object({
  firstName: requiredText(messageKey("firstNameRequired"), LIMITS.name),
  lastName: optionalText(LIMITS.name),
  companyName: optionalText(LIMITS.name),
  usageType: v.picklist(USAGE_TYPES),
  documentType: v.picklist(DOCUMENT_TYPES),
});

export type OnboardingValues = v.InferInput<typeof onboardingSchema>;

/** The fields that must be valid before a step is left. */
export const FIELDS: Record<StepName, (keyof OnboardingValues)[]> = {
  welcome: [],
  about: ["firstName", "lastName", "companyName"],
  usage: ["usageType", "documentType"],
  ready: [],
};

const BLANK: OnboardingValues = {
  ...{ firstName: "", lastName: "", companyName: "" },
  ...{ usageType: USAGE_TYPES[0], documentType: DOCUMENT_TYPES[0] },
};

/** The user's existing answers, else the defaults. */
export const onboardingValues = (user: User): OnboardingValues => filled(BLANK, user);
