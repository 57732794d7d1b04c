import { PROVIDER_NAMES, type SignInProvider } from "../contract/options";

/** The endpoints and credentials of a provider. */
export type OAuthProvider = {
  name: Exclude<SignInProvider, "oidc">;
  clientId: string;
  clientSecret: string;
  authorizationUrl: string;
  tokenUrl: string;
  /** The profile of the access token's user. */
  profileUrl: string;
  scopes: string[];
};

/** A provider that describes itself. */
export type OidcProvider = {
  name: "oidc";
  clientId: string;
  clientSecret: string;
  issuer: string;
  /** What people call it. */
  label: string;
  /** If not empty, only addresses of these domains may sign in. */
  domains: readonly string[];
  /** Whether an address of which it does not say whether it is verified counts as such. */
  trustsEmail: boolean;
};

export type ProviderSettings = OAuthProvider | OidcProvider;

/** Whether the address is of one of the domains themselves, not of one below them. */
export const isOfDomain = (email: string, domains: readonly string[]): boolean =>
  domains.includes(email.slice(email.lastIndexOf("@") + 1).toLowerCase());

type Credential = `${"GOOGLE" | "MICROSOFT_ENTRA_ID" | "GITHUB" | "OIDC"}_CLIENT_${"ID" | "SECRET"}`;
type Setting = "MICROSOFT_ENTRA_ID_TENANT_ID" | "OIDC_ISSUER" | "OIDC_NAME" | "PROVIDER_URL";
type Credentials = Partial<Record<Credential | Setting, string>> & {
  OIDC_DOMAINS?: readonly string[] | undefined;
  OIDC_TRUST_EMAIL?: "on" | "off";
};

const OPENID = ["openid", "email", "profile"];

/** What a destination of files may do there. Google's covers only what the app has made itself. */
export const DESTINATION_SCOPES = {
  microsoft: ["offline_access", "Files.ReadWrite.All"],
  google: ["https://www.googleapis.com/auth/drive.file"],
};

/** What `PROVIDER_URL` stands in for. */
const REPLACED_HOSTS = [
  "login.microsoftonline.com",
  "graph.microsoft.com",
  "accounts.google.com",
  "oauth2.googleapis.com",
  "www.googleapis.com",
];

/** The address at which Google or Microsoft is reached: in tests, one below `PROVIDER_URL`. */
export function providerAddress(address: string, providerUrl: string | undefined): string {
  const { host, pathname, search } = new URL(address);
  if (!providerUrl || !REPLACED_HOSTS.includes(host)) return address;
  return `${providerUrl.replace(/\/+$/, "")}/${host}${pathname}${search}`;
}

/** The providers with credentials, in the order of their buttons. */
export function configuredProviders(variables: Credentials): ProviderSettings[] {
  const microsoft = `https://login.microsoftonline.com/${variables.MICROSOFT_ENTRA_ID_TENANT_ID ?? "common"}/oauth2/v2.0`;
  const known: (Omit<OAuthProvider, "clientId" | "clientSecret"> & { id?: string; secret?: string })[] = [
    {
      name: "google",
      id: variables.GOOGLE_CLIENT_ID,
      secret: variables.GOOGLE_CLIENT_SECRET,
      authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
      tokenUrl: "https://oauth2.googleapis.com/token",
      profileUrl: "https://openidconnect.googleapis.com/v1/userinfo",
      scopes: OPENID,
    },
    {
      name: "microsoft",
      id: variables.MICROSOFT_ENTRA_ID_CLIENT_ID,
      secret: variables.MICROSOFT_ENTRA_ID_CLIENT_SECRET,
      authorizationUrl: `${microsoft}/authorize`,
      tokenUrl: `${microsoft}/token`,
      profileUrl: "https://graph.microsoft.com/oidc/userinfo",
      scopes: OPENID,
    },
    {
      name: "github",
      id: variables.GITHUB_CLIENT_ID,
      secret: variables.GITHUB_CLIENT_SECRET,
      authorizationUrl: "https://github.com/login/oauth/authorize",
      tokenUrl: "https://github.com/login/oauth/access_token",
      profileUrl: "https://api.github.com/user",
      scopes: ["read:user", "user:email"],
    },
  ];
  return [
    ...known.flatMap(({ id, secret, ...provider }) =>
      id && secret
        ? {
            ...provider,
            clientId: id,
            clientSecret: secret,
            authorizationUrl: providerAddress(provider.authorizationUrl, variables.PROVIDER_URL),
            tokenUrl: providerAddress(provider.tokenUrl, variables.PROVIDER_URL),
            profileUrl: providerAddress(provider.profileUrl, variables.PROVIDER_URL),
          }
        : [],
    ),
    ...configuredOidc(variables),
  ];
}

function configuredOidc(variables: Credentials): OidcProvider[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = variables;
  if (!issuer || !clientId || !clientSecret) return [];
  const label = variables.OIDC_NAME ?? PROVIDER_NAMES.oidc;
  const domains = variables.OIDC_DOMAINS ?? [];
  const trustsEmail = variables.OIDC_TRUST_EMAIL === "on";
  return [{ name: "oidc", clientId, clientSecret, issuer, label, domains, trustsEmail }];
}
