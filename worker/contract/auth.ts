import * as z from "zod";
import { emailAddress } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";

const newPassword = z
  .string({ error: (issue) => (issue.input == null ? MESSAGES.passwordRequired : undefined) })
  .min(LIMITS.passwordMin, MESSAGES.passwordTooShort)
  .max(LIMITS.passwordMax);

const token = z.string();

/** Whether to revoke the account's API tokens as well. */
const revokeTokens = (byDefault: boolean) =>
  z
    .boolean()
    .nullish()
    .transform((given) => given ?? byDefault);

export const registerInput = z.object({
  email: emailAddress(MESSAGES.invalidEmailAddress),
  password: newPassword,
});

export const loginInput = z.object({
  email: emailAddress(MESSAGES.invalidEmailAddress),
  password: z
    .string({ error: (issue) => (issue.input == null ? MESSAGES.passwordRequired : undefined) })
    .min(1, MESSAGES.passwordRequired)
    .max(LIMITS.passwordMax),
});

export const changePasswordInput = z
  .object({
    currentPassword: z
      .string({ error: (issue) => (issue.input == null ? MESSAGES.currentPasswordRequired : undefined) })
      .min(1, MESSAGES.currentPasswordRequired)
      .max(LIMITS.passwordMax),
    newPassword,
    revokeTokens: revokeTokens(false),
    confirmPassword: z.string({
      error: (issue) => (issue.input == null ? MESSAGES.passwordsDontMatch : undefined),
    }),
  })
  .refine((input) => input.newPassword === input.confirmPassword, {
    path: ["confirmPassword"],
    message: MESSAGES.passwordsDontMatch,
  });

export const forgotPasswordInput = z.object({ email: emailAddress(MESSAGES.invalidEmailAddress) });
export const resetPasswordInput = z.object({ token, newPassword, revokeTokens: revokeTokens(true) });
export const verifyInput = z.object({ token });
export const revertEmailInput = z.object({ token });
export const readInvitationInput = z.object({ token });
export const acceptInvitationInput = z.object({ token, password: newPassword });
