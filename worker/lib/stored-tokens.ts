import type { Clock } from "../ports/clock";
import type { DestinationCredentials } from "../ports/destination";
import type { OAuth2Tokens } from "./oauth2";

/** What is stored of the tokens that a provider has given. @param refreshToken of before, if there is no new one */
export function storedTokens(tokens: OAuth2Tokens, clock: Clock, refreshToken = ""): DestinationCredentials {
  const expiresAt = new Date(clock.now().getTime() + tokens.accessTokenExpiresInSeconds() * 1000);
  return {
    refreshToken: tokens.hasRefreshToken() ? tokens.refreshToken() : refreshToken,
    accessToken: tokens.accessToken(),
    expiresAt: expiresAt.toISOString(),
  };
}
