// The package's index imports its clients of sixty providers too.
export { CodeChallengeMethod, OAuth2Client } from "arctic/dist/client.js";
export { generateCodeVerifier, generateState, type OAuth2Tokens } from "arctic/dist/oauth2.js";
export { OAuth2RequestError } from "arctic/dist/request.js";
