import type { Variables } from "../../../config";
import { configuredProviders, DESTINATION_SCOPES } from "../../../lib/sign-in-providers";
import type { Clock } from "../../../ports/clock";
import type { CreateSha256 } from "../../../ports/crypto";
import type { Destinations } from "../../../ports/destination";
import type { PublicFetch } from "../../../ports/public-fetch";

type Parts = { fetchPublic: PublicFetch; createSha256: CreateSha256; clock: Clock };

/** The kinds of both runtimes. Those that are connected by signing in there need an app that the operator has registered. */
export function createDestinations(
  variables: Variables,
  { fetchPublic, createSha256, clock }: Parts,
): Destinations {
  const destinations: Destinations = {
    s3: async () => (await import("./s3")).createS3Destination(fetchPublic, createSha256),
    webdav: async () => (await import("./webdav")).createWebdavDestination(fetchPublic),
  };
  for (const provider of configuredProviders(variables)) {
    const shared = { clock, providerUrl: variables.PROVIDER_URL };
    if (provider.name === "microsoft") {
      const options = { ...shared, provider, scopes: DESTINATION_SCOPES.microsoft };
      destinations.microsoft = async () => (await import("./microsoft")).createMicrosoftDestination(options);
    } else if (provider.name === "google") {
      const options = { ...shared, provider, scopes: DESTINATION_SCOPES.google };
      destinations.google = async () => (await import("./google")).createGoogleDestination(options);
    }
  }
  return destinations;
}
