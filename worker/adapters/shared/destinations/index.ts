import type { CreateSha256 } from "../../../ports/crypto";
import type { Destinations } from "../../../ports/destination";
import type { PublicFetch } from "../../../ports/public-fetch";

/** The kinds of both runtimes. */
export const createDestinations = (fetchPublic: PublicFetch, createSha256: CreateSha256): Destinations => ({
  s3: async () => (await import("./s3")).createS3Destination(fetchPublic, createSha256),
  webdav: async () => (await import("./webdav")).createWebdavDestination(fetchPublic),
});
