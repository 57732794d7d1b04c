import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { PHONE_PATTERN } from "../../../worker/contract/patterns";
import { emailAddress, matchesOrBlank, messageKey, optionalText } from "../../lib/form";
import type { User } from "../auth/auth.queries";

export const profileSchema = v.object({
  email: emailAddress(messageKey("invalidEmailAddress"), LIMITS.email),
  firstName: optionalText(LIMITS.name),
  lastName: optionalText(LIMITS.name),
  companyName: optionalText(LIMITS.name),
  phoneNumber: v.pipe(
    v.string(),
    v.trim(),
    matchesOrBlank(PHONE_PATTERN, LIMITS.phone, messageKey("invalidPhone")),
  ),
});

export type ProfileValues = v.InferInput<typeof profileSchema>;

const FIELDS = Object.keys(profileSchema.entries);

export const isProfileField = (path: string): path is keyof ProfileValues => FIELDS.includes(path);

export function profileValues(user: User): ProfileValues {
  return {
    email: user.email,
    firstName: user.firstName ?? "",
    lastName: user.lastName ?? "",
    companyName: user.companyName ?? "",
    phoneNumber: user.phoneNumber ?? "",
  };
}

export const passwordSchema = v.pipe(
  v.object({
    currentPassword: v.pipe(
      v.string(),
      v.minLength(1, messageKey("currentPasswordRequired")),
      v.maxLength(LIMITS.passwordMax, messageKey("tooLong")),
    ),
    newPassword: v.pipe(
      v.string(),
      v.minLength(LIMITS.passwordMin, messageKey("passwordTooShort")),
      v.maxLength(LIMITS.passwordMax, messageKey("tooLong")),
    ),
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
