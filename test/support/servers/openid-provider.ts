import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { OidcProvider } from "../../../worker/lib/sign-in-providers";

export type OpenIdAccount = {
  email?: string;
  email_verified?: boolean;
  /** Of Entra ID. */
  xms_edov?: unknown;
  given_name?: string;
  family_name?: string;
};

const CLIENT = { clientId: "doculopes", clientSecret: "a secret with : and %" };

const VERIFIED_CLAIMS = { never: ["email_verified"], entra: ["xms_edov"], entirely: [] };

type Faults = {
  /** Whether it publishes another key than the one that signs. */
  foreignKey?: true;
  /** Whether it has no `email_verified`: as Entra ID with its optional claim, or nothing at all. */
  isSilent?: "entra" | "entirely";
  /** Whether its metadata cannot be read. */
  isDown?: boolean;
};

/** The id of the key that the provider signs with by default. */
const KEY_ID = "keystore-CHANGE-ME";

function foreignKeys(): string {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = { ...publicKey.export({ format: "jwk" }), kid: KEY_ID, use: "sig", alg: "RS256" };
  return JSON.stringify({ keys: [key] });
}

/** A real OpenID provider on loopback, with its development pages for signing in and agreeing. */
export async function startOpenIdProvider(redirectOrigin: string, faults: Faults = {}) {
  let discoveries = 0;
  const keys = faults.foreignKey && foreignKeys();
  const accounts = new Map<string, OpenIdAccount>();
  let handle: ReturnType<Provider["callback"]> | undefined;
  const server = createServer((request, response) => {
    if (keys && request.url === "/jwks")
      return response.writeHead(200, { "content-type": "application/json" }).end(keys);
    if (request.url === "/.well-known/openid-configuration") {
      discoveries += 1;
      if (faults.isDown) return response.writeHead(503).end();
    }
    return void handle?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [`${redirectOrigin}/api/auth/oidc/callback`],
      },
    ],
    claims: {
      email: ["email", ...VERIFIED_CLAIMS[faults.isSilent ?? "never"]],
      profile: ["given_name", "family_name"],
    },
    pkce: { required: () => true },
    cookies: { keys: ["only for tests"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) }),
  });
  handle = provider.callback();
  return {
    issuer,
    faults,
    /** How often its metadata were read. */
    discoveries: () => discoveries,
    settings: (more: Partial<OidcProvider> = {}): OidcProvider => ({
      name: "oidc",
      ...CLIENT,
      issuer,
      label: "Acme",
      domains: [],
      trustsEmail: false,
      ...more,
    }),
    /** Signs in at the provider and agrees. @returns the URL that it sends the browser back to */
    async agree(authorization: URL, subject: string, account: OpenIdAccount): Promise<URL> {
      accounts.set(subject, account);
      const cookies = new Map<string, string>();
      const request = async (url: URL, init: RequestInit = {}) => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const response = await fetch(url, {
          ...init,
          redirect: "manual",
          headers: { ...init.headers, cookie },
        });
        for (const line of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        return response;
      };
      let url = authorization;
      let response = await request(url);
      for (let step = 0; step < 12; step += 1) {
        const location = response.headers.get("location");
        if (location) {
          url = new URL(location, url);
          if (url.origin !== issuer) return url;
          response = await request(url);
          continue;
        }
        const page = await response.text();
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
        if (!prompt)
          throw new Error(`Unexpected page of the provider: ${response.status} ${page.slice(0, 500)}`);
        const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? url.href;
        const body = new URLSearchParams({ prompt, login: subject, password: "any" });
        url = new URL(action, url);
        response = await request(url, { method: "POST", body });
      }
      throw new Error("The provider does not send the browser back");
    },
    /** Makes the code worthless, as after its few minutes. */
    async expireCode(code: string): Promise<void> {
      await (await provider.AuthorizationCode.find(code))?.destroy();
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
