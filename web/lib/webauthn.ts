import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/browser";

/** Loaded when it is needed. */
const load = () => import("@simplewebauthn/browser");

/** Whether the browser can use passkeys on this page: not over plain HTTP, except on this computer. */
export const hasWebAuthn = (): boolean => typeof window !== "undefined" && "PublicKeyCredential" in window;

type CreationOptions = Parameters<Awaited<ReturnType<typeof load>>["startRegistration"]>[0]["optionsJSON"];
type RequestOptions = Parameters<Awaited<ReturnType<typeof load>>["startAuthentication"]>[0]["optionsJSON"];

/** Asks the person to create a passkey. */
export async function askToCreatePasskey(optionsJSON: CreationOptions): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await load();
  return startRegistration({ optionsJSON });
}

/** Asks the person for a passkey; with `autofill`, in the suggestions of a field, until another question. */
export async function askForPasskey(
  optionsJSON: RequestOptions,
  { autofill = false } = {},
): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await load();
  return startAuthentication({
    optionsJSON,
    useBrowserAutofill: autofill,
    verifyBrowserAutofillInput: false,
  });
}

/** Whether a field's suggestions can contain passkeys. */
export async function suggestsPasskeys(): Promise<boolean> {
  if (!hasWebAuthn()) return false;
  return (await window.PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}

/** The person has closed the browser's question, or another one has replaced it. */
export const isPasskeyCancelled = (error: unknown): boolean =>
  error instanceof Error && ["AbortError", "NotAllowedError"].includes(error.name);

/** The device has a passkey of this account already. */
export const isPasskeyThere = (error: unknown): boolean =>
  error instanceof Error && error.name === "InvalidStateError";
