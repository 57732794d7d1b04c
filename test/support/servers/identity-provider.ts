import { createHash } from "node:crypto";
import type { OAuthProvider } from "../../../worker/lib/sign-in-providers";

export type ProviderAccount = {
  sub: string;
  email: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
};

/** A local OpenID provider that performs the checks of real ones: secret, redirect URL, PKCE, single use of a code. */
export function startIdentityProvider() {
  const codes = new Map<string, { account: ProviderAccount; challenge: string; redirectUri: string }>();
  const tokens = new Map<string, ProviderAccount>();
  const server = Bun.serve({
    port: 0,
    routes: { "/token": redeem, "/profile": profile, "/profile/emails": includeEmails },
  });

  async function redeem(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const code = form.get("code") ?? "";
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const known = request.headers.get("authorization") === `Basic ${btoa("client:secret")}`;
    if (!known || grant?.challenge !== challenge || grant.redirectUri !== form.get("redirect_uri"))
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    const accessToken = crypto.randomUUID();
    tokens.set(accessToken, grant.account);
    return Response.json({ access_token: accessToken, token_type: "Bearer", expires_in: 3600 });
  }

  const bearerOf = (request: Request) =>
    tokens.get(request.headers.get("authorization")?.slice("Bearer ".length) ?? "");

  function profile(request: Request): Response {
    const account = bearerOf(request);
    if (!account) return new Response(null, { status: 401 });
    return Response.json({
      ...account,
      id: Number(account.sub),
      name: `${account.given_name} ${account.family_name}`,
    });
  }

  function includeEmails(request: Request): Response {
    const account = bearerOf(request);
    if (!account) return new Response(null, { status: 401 });
    const { email, email_verified: verified = false } = account;
    return Response.json([
      { email: "other@example.com", primary: false, verified: true },
      { email, primary: true, verified },
    ]);
  }

  return {
    settings: (name: OAuthProvider["name"]): OAuthProvider => ({
      name,
      clientId: "client",
      clientSecret: "secret",
      authorizationUrl: `${server.url}authorize`,
      tokenUrl: `${server.url}token`,
      profileUrl: `${server.url}profile`,
      scopes: ["openid", "email", "profile"],
    }),
    /** Issues a single-use code for the client, as a provider does after the user has agreed. */
    agree(authorization: URL, account: ProviderAccount): string {
      const code = crypto.randomUUID();
      codes.set(code, {
        account,
        challenge: authorization.searchParams.get("code_challenge") ?? "",
        redirectUri: authorization.searchParams.get("redirect_uri") ?? "",
      });
      return code;
    },
    stop: () => server.stop(true),
  };
}
