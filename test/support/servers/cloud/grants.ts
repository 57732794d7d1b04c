import { createHash } from "node:crypto";

export type GrantRules = {
  /** What `connect` must ask for, exactly. */
  scope: string;
  /** Further parameters of the address that leads to the provider. */
  parameters: Record<string, string>;
  /** Whether each refresh replaces the refresh token, whose use then ends the grant. */
  rotates: boolean;
};

export const CLIENT = { id: "client", secret: "secret" };

const json = (status: number, body: object) => Response.json(body, { status });
const refused = (error: string, description = error) =>
  json(error === "invalid_client" ? 401 : 400, { error, error_description: description });

/** The part of a provider that issues tokens: secret, redirect address, PKCE, codes that serve once, rotation. */
export function createGrants({ scope, parameters, rotates }: GrantRules) {
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const issue = (refreshToken: string | undefined) => {
    const accessToken = crypto.randomUUID();
    access.add(accessToken);
    return json(200, {
      token_type: "Bearer",
      access_token: accessToken,
      expires_in: 3599,
      scope: grants.grantedScope ?? scope,
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    });
  };
  const newRefreshToken = () => {
    const token = crypto.randomUUID();
    refresh.add(token);
    return token;
  };

  async function redeem(request: Request): Promise<Response> {
    if (request.method !== "POST") return json(405, { error: "method_not_allowed" });
    const type = request.headers.get("content-type") ?? "";
    if (!type.startsWith("application/x-www-form-urlencoded")) return refused("invalid_request", type);
    const form = new URLSearchParams(await request.text());
    if (request.headers.get("authorization") !== `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}`)
      return refused("invalid_client");
    if (form.get("grant_type") === "authorization_code") {
      const code = form.get("code") ?? "";
      const grant = codes.get(code);
      codes.delete(code);
      const verifier = form.get("code_verifier") ?? "";
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      if (grant?.challenge !== challenge || grant.redirectUri !== form.get("redirect_uri"))
        return refused("invalid_grant");
      return issue(grants.withholdsRefreshToken ? undefined : newRefreshToken());
    }
    if (form.get("grant_type") !== "refresh_token") return refused("unsupported_grant_type");
    grants.refreshes += 1;
    const token = form.get("refresh_token") ?? "";
    if (!refresh.has(token)) return refused("invalid_grant");
    if (!rotates) return issue(undefined);
    refresh.delete(token);
    const replacement = newRefreshToken();
    await grants.beforeRefreshResponse?.();
    return issue(replacement);
  }

  async function revoke(request: Request): Promise<Response> {
    const token = new URLSearchParams(await request.text()).get("token") ?? "";
    if (!refresh.delete(token)) return refused("invalid_token");
    access.clear();
    return json(200, {});
  }

  const grants = {
    redeem,
    revoke,
    refreshes: 0,
    withholdsRefreshToken: false,
    /** What the person has allowed, if not everything. */
    grantedScope: undefined as string | undefined,
    beforeRefreshResponse: undefined as (() => Promise<void>) | undefined,
    /** The code for a person who agrees. @throws if the address is not one that the provider accepts */
    agree(authorization: URL): string {
      const given = Object.fromEntries(authorization.searchParams);
      const { code_challenge: challenge = "", redirect_uri: redirectUri = "", state = "" } = given;
      const expected = {
        ...{ response_type: "code", client_id: CLIENT.id, scope, code_challenge_method: "S256" },
        ...parameters,
      };
      for (const [name, value] of Object.entries(expected))
        if (given[name] !== value) throw new Error(`${name} is ${given[name]}, not ${value}`);
      if (challenge.length !== 43 || state.length < 22) throw new Error("PKCE or state is missing");
      const code = crypto.randomUUID();
      codes.set(code, { challenge, redirectUri });
      return code;
    },
    /** What the app stores after a person has agreed. */
    async grant() {
      const tokens = await issue(newRefreshToken()).json();
      const expiresAt = new Date(Date.now() + 3599_000).toISOString();
      return { refreshToken: tokens.refresh_token, accessToken: tokens.access_token, expiresAt } as Record<
        string,
        string
      >;
    },
    allows: (request: Request) =>
      access.has(/^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? ""),
    refreshTokens: refresh,
    expireAccess: () => access.clear(),
    /** As if the person had removed the app at the provider. */
    end() {
      access.clear();
      refresh.clear();
    },
  };
  return grants;
}
