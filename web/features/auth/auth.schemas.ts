import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { emailAddress, messageKey } from "../../lib/form";

const newPassword = v.pipe(
  v.string(),
  v.minLength(1, messageKey("passwordRequired")),
  v.minLength(LIMITS.passwordMin, messageKey("passwordTooShort")),
  v.maxLength(LIMITS.passwordMax, messageKey("tooLong")),
);

const address = emailAddress(messageKey("invalidEmailAddress"), LIMITS.email);

export const loginSchema = v.object({
  email: address,
  password: v.pipe(
    v.string(),
    v.minLength(1, messageKey("passwordRequired")),
    v.maxLength(LIMITS.passwordMax, messageKey("tooLong")),
  ),
});

export const registerSchema = v.object({ email: address, password: newPassword });

export const newPasswordSchema = v.object({ password: newPassword });

export const forgotSchema = v.object({ email: address });

export const resetSchema = v.pipe(
  v.object({ newPassword, confirmPassword: v.string(), revokeTokens: v.boolean() }),
  v.forward(
    v.partialCheck(
      [["newPassword"], ["confirmPassword"]],
      (input) => input.newPassword === input.confirmPassword,
      messageKey("passwordsDontMatch"),
    ),
    ["confirmPassword"],
  ),
);
