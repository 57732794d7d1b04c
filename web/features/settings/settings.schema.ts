import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { isPhoneNumber, plainPhone } from "../../../worker/contract/patterns";
import {
  emailAddress,
  hasField,
  matchesOrBlank,
  messageKey,
  newPassword,
  optionalText,
  password,
  requiredText,
  textValues,
} from "../../lib/form";
import type { User } from "../auth/auth.queries";

export const profileSchema = v.object({
  email: emailAddress(messageKey("invalidEmailAddress")),
  firstName: optionalText(LIMITS.name),
  lastName: optionalText(LIMITS.name),
  companyName: optionalText(LIMITS.name),
  phoneNumber: matchesOrBlank(isPhoneNumber, messageKey("invalidPhone"), plainPhone),
});

export type ProfileValues = v.InferInput<typeof profileSchema>;

export const isProfileField = hasField(profileSchema);

export const profileValues = (user: User): ProfileValues => textValues(profileSchema, user);

export const passkeyNameSchema = v.object({
  name: requiredText(messageKey("nameRequired"), LIMITS.passkeyName),
});

export const passwordSchema = v.pipe(
  v.object({
    currentPassword: password(messageKey("currentPasswordRequired")),
    newPassword,
    confirmPassword: v.string(),
    revokeTokens: v.optional(v.boolean(), false),
  }),
  v.forward(
    v.partialCheck(
      [["newPassword"], ["confirmPassword"]],
      ({ newPassword, confirmPassword }) => newPassword === confirmPassword,
      messageKey("passwordsDontMatch"),
    ),
    ["confirmPassword"],
  ),
);

export type PasswordValues = v.InferInput<typeof passwordSchema>;

export const isPasswordField = (path: string): path is keyof PasswordValues =>
  ["currentPassword", "newPassword", "confirmPassword"].includes(path);
