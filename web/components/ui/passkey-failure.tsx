import { useTranslation } from "#translation";
import { errorText } from "../../lib/error-text";
import { PasskeyError } from "../../lib/webauthn";
import { FieldError } from "./field";

/** Why a passkey was not used or created. Nothing if another question has replaced the one for it. */
export function PasskeyFailure({ error }: { error: Error | null }) {
  const { i18n } = useTranslation(["common", "errors", "validation"]);
  if (!error || (error instanceof PasskeyError && error.problem === "replaced")) return null;
  return <FieldError>{errorText(error, i18n.t)}</FieldError>;
}
