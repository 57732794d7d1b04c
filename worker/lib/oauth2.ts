import { OAuth2Tokens } from "arctic/dist/oauth2.js";
import {
  createOAuth2Request,
  createOAuth2RequestError,
  encodeBasicCredentials,
} from "arctic/dist/request.js";
import type { OAuthProvider } from "./sign-in-providers";
import { readBeginning } from "./streams";

// The package's index imports its clients of sixty providers too.
export { CodeChallengeMethod, OAuth2Client } from "arctic/dist/client.js";
export { generateCodeVerifier, generateState, type OAuth2Tokens } from "arctic/dist/oauth2.js";
export { OAuth2RequestError } from "arctic/dist/request.js";

/**
 * Asks a provider for tokens. The client of arctic would read its answer to the end, however long it is.
 * @throws OAuth2RequestError if the provider refuses, another error if it cannot be reached or answers something else
 */
export async function requestTokens(
  { clientId, clientSecret, tokenUrl }: Pick<OAuthProvider, "clientId" | "clientSecret" | "tokenUrl">,
  grant: Record<string, string>,
  signal: AbortSignal,
): Promise<OAuth2Tokens> {
  const request = createOAuth2Request(tokenUrl, new URLSearchParams(grant));
  request.headers.set("Authorization", `Basic ${encodeBasicCredentials(clientId, clientSecret)}`);
  const response = await fetch(request, { signal });
  const { status } = response;
  const answer = parse(await readBeginning(response));
  if (typeof answer !== "object" || answer === null) throw new Error(`The provider answered ${status}`);
  if ((status === 400 || status === 401) && "error" in answer) throw createOAuth2RequestError(answer);
  if (status !== 200) throw new Error(`The provider answered ${status}`);
  return new OAuth2Tokens(answer);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
