import * as z from "zod";
import { LIMITS } from "./limits";
import { REMEMBERED_DAYS } from "./options";
import { passkeyUse } from "./passkeys";
import { count, RESPONSES } from "./response-fields";

/** A code as typed, with or without spaces. */
const code = z.string().max(LIMITS.code);

export const confirmTotpInput = z.object({ code });

export const secondFactorInput = z
  .object({
    challenge: z.string().max(LIMITS.code * 2),
    code: code.nullish().describe("Of the authenticator app"),
    recoveryCode: code.nullish(),
    passkey: passkeyUse.nullish(),
    remember: z
      .boolean()
      .nullish()
      .describe(`Whether this browser signs in without a second factor for ${REMEMBERED_DAYS} days`),
  })
  .refine(
    (input) => [input.code, input.recoveryCode, input.passkey].filter((given) => given != null).length === 1,
  );
export type SecondFactorInput = z.output<typeof secondFactorInput>;

export const newTotpResponse = z
  .object({ secret: z.string().describe("In Base32"), uri: z.string().describe("For a QR code") })
  .register(RESPONSES, { id: "NewAuthenticatorApp" });

export const recoveryCodesResponse = z
  .object({ recoveryCodes: z.array(z.string()).describe("Each works once; they are not shown again") })
  .register(RESPONSES, { id: "RecoveryCodes" });

export const twoFactorResponse = z
  .object({
    totp: z.boolean().describe("Whether an authenticator app is active"),
    recoveryCodesLeft: count,
    passkeys: count,
    rememberedDevices: count,
    required: z.boolean().describe("Whether the instance requires a second factor of this account"),
  })
  .register(RESPONSES, { id: "TwoFactor" });
