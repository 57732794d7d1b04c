// The package's index imports its clients of sixty providers too.
export { CodeChallengeMethod, OAuth2Client } from "arctic/dist/client.js";
export { generateCodeVerifier, generateState } from "arctic/dist/oauth2.js";
