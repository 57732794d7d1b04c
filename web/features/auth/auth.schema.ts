import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { emailAddress, messageKey, newPassword, password, requiredText } from "../../lib/form";

/** A blank one is missing rather than too short. */
const chosenPassword = v.pipe(v.string(), v.minLength(1, messageKey("passwordRequired")), newPassword);

const address = emailAddress(messageKey("invalidEmailAddress"));

export const passwordSchema = v.object({ password: password(messageKey("passwordRequired")) });

export const loginSchema = v.object({ email: address, ...passwordSchema.entries });

export const registerSchema = v.object({ email: address, password: chosenPassword });

export const newPasswordSchema = v.object({ password: chosenPassword });

export const forgotSchema = v.object({ email: address });

export const secondStepSchema = v.object({
  code: requiredText(messageKey("codeRequired"), LIMITS.code),
  remember: v.boolean(),
});

export const resetSchema = v.pipe(
  v.object({ newPassword: chosenPassword, confirmPassword: v.string(), revokeTokens: v.boolean() }),
  v.forward(
    v.partialCheck(
      [["newPassword"], ["confirmPassword"]],
      (input) => input.newPassword === input.confirmPassword,
      messageKey("passwordsDontMatch"),
    ),
    ["confirmPassword"],
  ),
);
