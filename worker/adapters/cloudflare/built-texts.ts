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
): Pick<Dependencies, "loadMailTexts" | "loadErrorTexts" | "loadApiDescription"> {
  const texts = new Map<string, object>();
  async function read<T>(path: string): Promise<T> {
    const response = await assets.fetch(`https://assets.local${path}`);
    if (!response.ok) throw new Error(`The asset ${path} cannot be read: status ${response.status}`);
    return response.json<T>();
  }
  async function readTexts(language: Language, name: "mail" | "errors"): Promise<object> {
    const path = `/locales/${language}/${name}.json`;
    const loaded = texts.get(path) ?? (await read<object>(path));
    texts.set(path, loaded);
    return loaded;
  }
  return {
    loadMailTexts: (language) => readTexts(language, "mail"),
    loadErrorTexts: async (language) => ({ ...(await readTexts(language, "errors")) }),
    loadApiDescription: () => read<ApiDescription>(API_DESCRIPTION),
  };
}
