import { createApp } from "../app";
import type { Dependencies } from "../dependencies";
import { describeApi } from "../features/openapi/describe-api";
import type { ApiDescription } from "../ports/api-description";

/** The description of the whole API, for builds that leave out what generates it. */
export async function generateApiDescription(): Promise<ApiDescription> {
  // The routes need no dependencies until they handle a request.
  const { routes } = createApp({} as Dependencies);
  return describeApi(routes);
}
