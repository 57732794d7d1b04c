import type { Fetcher } from "@cloudflare/workers-types";
import type { Language } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import type { ApiDescription } from "../../ports/api-description";

/** Where `stageAssets` writes the API's description. Below `/api/`, Cloudflare serves no asset itself. */
export const API_DESCRIPTION = "/api/description.json";

/**
 * Reads from the static assets what is rarely needed and would be an eighth of the script. Caches texts, not promises,
 * because a Worker must not await a promise of another request.
 */
export function createBuiltTexts(
  assets: Fetcher,
): Pick<Dependencies, "loadMailTexts" | "loadApiDescription"> {
  const texts = new Map<Language, object>();
  async function read<T>(path: string): Promise<T> {
    const response = await assets.fetch(`https://assets.local${path}`);
    if (!response.ok) throw new Error(`The asset ${path} cannot be read: status ${response.status}`);
    return response.json<T>();
  }
  return {
    async loadMailTexts(language) {
      const loaded = texts.get(language) ?? (await read<object>(`/locales/${language}/mail.json`));
      texts.set(language, loaded);
      return loaded;
    },
    loadApiDescription: () => read<ApiDescription>(API_DESCRIPTION),
  };
}
