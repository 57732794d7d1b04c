import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/browser";

/** Loaded when it is needed. */
const load = () => import("@simplewebauthn/browser");

/** Whether the browser can use passkeys on this page: not over plain HTTP, except on this computer. */
export const hasWebAuthn = (): boolean => typeof window !== "undefined" && "PublicKeyCredential" in window;

/** Loads the code and the options that the browser's question needs: Safari shows it only if they precede the click. */
export async function prepareQuestion<Options>(options: Promise<Options>): Promise<Options> {
  const [given] = await Promise.all([options, load()]);
  return given;
}

type CreationOptions = Parameters<Awaited<ReturnType<typeof load>>["startRegistration"]>[0]["optionsJSON"];
type RequestOptions = Parameters<Awaited<ReturnType<typeof load>>["startAuthentication"]>[0]["optionsJSON"];

/** Why the browser's question about a passkey brought none. */
type Problem =
  /** Another question has replaced it, or the page no longer needs it. */
  | "replaced"
  /** Closed; browsers say the same if the device has no passkey of this site. */
  | "cancelled"
  /** Closed without creating one. */
  | "notCreated"
  | "timedOut"
  /** The device has a passkey of this account already. */
  | "exists"
  /** The device cannot store passkeys, or has no screen lock. */
  | "noDevice"
  /** The page has another host than passkeys are made for. */
  | "wrongHost"
  | "failed";

/** By the name of the browser's error. */
const PROBLEMS: Record<string, Problem> = {
  AbortError: "replaced",
  NotAllowedError: "timedOut",
  InvalidStateError: "exists",
  ConstraintError: "noDevice",
  NotSupportedError: "noDevice",
  SecurityError: "wrongHost",
};

/** Browsers report a question that nobody answered as cancelled. Their limits are a minute or more. */
const UNANSWERED_MS = 60_000;

type QuestionFacts = {
  elapsedMs: number;
  host: string;
  /** What closing it means. */
  closed: Problem;
};

export class PasskeyError extends Error {
  override readonly name = "PasskeyError";
  readonly problem: Problem;
  /** That passkeys are made for. */
  readonly host: string;

  constructor(cause: unknown, { elapsedMs, host, closed }: QuestionFacts) {
    super("The browser gave no passkey", { cause });
    const name = cause instanceof Error ? cause.name : "";
    const isClosed = name === "NotAllowedError";
    this.problem = isClosed && elapsedMs < UNANSWERED_MS ? closed : (PROBLEMS[name] ?? "failed");
    this.host = host;
  }
}

/** How many questions there were. A new one replaces the one before it. */
let asked = 0;

async function ask<Answer>(
  question: () => Promise<Answer>,
  host = location.hostname,
  closed: Problem = "cancelled",
): Promise<Answer> {
  asked += 1;
  const start = performance.now();
  try {
    return await question();
  } catch (error) {
    throw new PasskeyError(error, { elapsedMs: performance.now() - start, host, closed });
  }
}

/** Asks the person to create a passkey. @throws PasskeyError */
export async function askToCreatePasskey(optionsJSON: CreationOptions): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await load();
  return ask(() => startRegistration({ optionsJSON }), optionsJSON.rp.id, "notCreated");
}

/** Asks the person for a passkey. @throws PasskeyError */
export async function askForPasskey(optionsJSON: RequestOptions): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await load();
  return ask(() => startAuthentication({ optionsJSON }), optionsJSON.rpId);
}

/**
 * Offers the person's passkeys in the suggestions of a field, and calls `onChosen`, until another question or until the
 * returned function is called.
 */
export function suggestPasskeys(
  optionsJSON: RequestOptions,
  onChosen: (response: AuthenticationResponseJSON) => void,
): () => void {
  let stopped = false;
  let stop = () => {
    stopped = true;
  };
  const suggest = async () => {
    const { startAuthentication, WebAuthnAbortService } = await load();
    if (stopped) return;
    const answer = ask(
      () => startAuthentication({ optionsJSON, useBrowserAutofill: true, verifyBrowserAutofillInput: false }),
      optionsJSON.rpId,
    );
    const own = asked;
    stop = () => {
      stopped = true;
      if (own === asked) WebAuthnAbortService.cancelCeremony();
    };
    const response = await answer;
    if (!stopped) onChosen(response);
  };
  // Without suggestions the button remains.
  suggest().catch(() => undefined);
  return () => stop();
}

/** Whether a field's suggestions can contain passkeys. */
export async function canSuggestPasskeys(): Promise<boolean> {
  if (!hasWebAuthn()) return false;
  return (await window.PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}
