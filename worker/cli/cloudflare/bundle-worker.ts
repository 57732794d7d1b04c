import { basename, dirname, join } from "node:path";
import { type BunPlugin, build, file, Transpiler, write } from "bun";
import { definedRevision } from "../../adapters/bun/revision";
import { DESCRIPTIONS } from "../without-descriptions";
import { ROOT } from "./stage-assets";

/** Parts of libraries that a Worker never runs, and what replaces them. They would be a seventh of its script. */
const REPLACED: { path: RegExp; replace(source: string): string }[] = [
  // A Worker reads the API's description, and needs nothing that generates it.
  ...DESCRIPTIONS,
  // Queries by relations, for which `drizzle` would need the schema.
  { path: /drizzle-orm\/(?:relations|sqlite-core\/query-builders\/query)\.js$/, replace: withoutExports },
  // What only formatting numbers and telling countries with the same code apart use. Parsing and lengths remain.
  { path: /libphonenumber-js\/metadata\.min\.json\.js$/, replace: reducePhoneMetadata },
  {
    path: /libphonenumber-js\/es6-modern\/(?:format|isValid|helpers\/getPossibleCountriesForNumber)\.js$/,
    replace: withoutExports,
  },
  // Reading from anything but a byte array. file-type reads a stream to name a compressed tar archive, whose media type
  // is that of any gzip file.
  {
    path: /strtok3\/lib\/(?:BlobTokenizer|ReadStreamTokenizer|stream\/(?:StreamReader|WebStream\w+))\.js$/,
    replace: withoutExports,
  },
  // The lists of all types that file-type knows, and the names of those that the app accepts nowhere.
  {
    path: /file-type\/source\/supported\.js$/,
    replace: () => "export const extensions = [], mimeTypes = [];",
  },
  {
    path: /file-type\/source\/detectors\/ebml\.js$/,
    replace: () => 'export const detectEbml = () => ({ ext: "mkv", mime: "video/matroska" });',
  },
  {
    path: /file-type\/source\/detectors\/asf\.js$/,
    replace: () => 'export const detectAsf = () => ({ ext: "asf", mime: "application/vnd.ms-asf" });',
  },
  // Text encodings, which the runtime has too.
  {
    path: /@borewit\/text-codec\/lib\/index\.js$/,
    replace: () =>
      "export const textDecode = (bytes, encoding) => new TextDecoder(encoding).decode(bytes); export const textEncode = (text) => new TextEncoder().encode(text);",
  },
  // The digest for arctic's code challenge, which the runtime has too.
  {
    path: /@oslojs\/crypto\/dist\/sha2\/index\.js$/,
    replace: () =>
      'import { createHash } from "node:crypto"; export const sha256 = (data) => new Uint8Array(createHash("sha256").update(data).digest());',
  },
  // Attestations by certificates, which a browser removes because the app does not ask for one.
  {
    path: /@simplewebauthn\/server\/esm\/registration\/verifications\/(?:tpm\/)?verifyAttestation(?!Packed)\w+\.js$/,
    replace: withoutExports,
  },
  {
    path: /@simplewebauthn\/server\/esm\/(?:metadata\/\w+|services\/metadataService|helpers\/(?:validateCertificatePath|convertX509PublicKeyToCOSE|getCertificateInfo|validateExtFIDOGenCEAAGUID))\.js$/,
    replace: withoutExports,
  },
  // The certificates of those attestations.
  {
    path: /@simplewebauthn\/server\/esm\/services\/settingsService\.js$/,
    replace: () =>
      "export const SettingsService = { getRootCertificates: () => [], runtimeSupportsPQC: () => false };",
  },
  // file-type's log for its own developers. CommonJS as the original, because its importers expect that.
  { path: /debug\/src\/browser\.js$/, replace: () => "module.exports = () => () => {};" },
];

/**
 * Modules that are imported where they are needed, and rarely are: they become modules of their own, so that a Worker
 * parses them only then. wrangler.toml names their folder. They import nothing else of the app that has a state.
 */
const ON_DEMAND = [
  "lib/webauthn",
  "lib/openid",
  "lib/oauth2",
  "lib/file-signatures",
  "lib/zip-writer",
  "features/notifications/mail-html",
].map((name) => join(ROOT, `worker/${name}.ts`));
const moduleName = (path: string) => basename(path, ".ts");
const ON_DEMAND_PATH = new RegExp(`^\\.{1,2}/(?:.+/)?(?:${ON_DEMAND.map(moduleName).join("|")})$`);
const onDemandName = (path: string) => `on-demand/${moduleName(path)}.js`;

const transpiler = new Transpiler({ loader: "ts" });

/** What Cloudflare gets: the script, its source map, and the modules that it imports when it needs them. */
export type WorkerBundle = { script: string; map: string; onDemand: { name: string; script: string }[] };

/** Writes the script that wrangler deploys, its source map and its modules. */
export async function bundleWorker(path: string): Promise<void> {
  const { script, map, onDemand } = await bundleForWorkerd("worker/cloudflare.ts", { minify: true });
  await write(path, script);
  await write(`${path}.map`, map);
  for (const { name, script } of onDemand) await write(join(dirname(path), name), script);
}

/**
 * Bundles an entry for workerd, with the bundler of the tests in workerd and of deployments.
 * @throws Error if it cannot be built, or a library no longer has what is replaced
 */
export async function bundleForWorkerd(
  entry: string,
  { minify }: { minify: boolean },
): Promise<WorkerBundle> {
  const replaced = new Set<RegExp>();
  const main = await bundleEntry(join(ROOT, entry), { minify, replaced });
  const onDemand = [];
  for (const path of ON_DEMAND) {
    const { script } = await bundleEntry(path, { minify, replaced });
    onDemand.push({ name: onDemandName(path), script });
  }
  const missing = REPLACED.filter(({ path }) => !replaced.has(path));
  if (missing.length > 0)
    throw new Error(`Nothing to replace: ${missing.map(({ path }) => path).join(", ")}`);
  return { ...main, script: withVariableImports(main.script), onDemand };
}

/** Wrangler bundles what is imported by a constant name into the script again. */
function withVariableImports(script: string): string {
  return ON_DEMAND.reduce((text, path) => {
    const name = `"./${onDemandName(path)}"`;
    return text.replaceAll(`import(${name})`, `import(${name}.slice())`);
  }, script);
}

async function bundleEntry(
  entry: string,
  { minify, replaced }: { minify: boolean; replaced: Set<RegExp> },
): Promise<{ script: string; map: string }> {
  const plugin: BunPlugin = {
    name: "parts that a Worker never runs",
    setup(builder) {
      // Of a path that comes through here, the bundler forgets that its package has no side effects.
      builder.onResolve({ filter: ON_DEMAND_PATH }, ({ path, importer, kind }) => {
        const module = kind === "dynamic-import" ? `${join(dirname(importer), path)}.ts` : "";
        return ON_DEMAND.includes(module) ? { path: `./${onDemandName(module)}`, external: true } : undefined;
      });
      for (const { path: filter, replace } of REPLACED)
        builder.onLoad({ filter }, async ({ path }) => {
          replaced.add(filter);
          return { contents: replace(await file(path).text()), loader: "js" };
        });
    },
  };
  const result = await build({
    entrypoints: [entry],
    minify,
    sourcemap: "linked",
    target: "browser",
    conditions: ["workerd", "worker", "browser"],
    define: { ...definedRevision(), "process.env.NODE_ENV": '"production"' },
    external: ["cloudflare:*", "node:*"],
    plugins: [plugin],
  });
  const [script, map] = result.outputs;
  if (!script || !map) throw new AggregateError(result.logs, "The Worker could not be bundled");
  return { script: await script.text(), map: await map.text() };
}

/** A module whose exports are one function, which throws when it is called. */
function withoutExports(source: string): string {
  const names = transpiler.scan(source).exports;
  return `function missing() { throw new Error("This part of a library is not in a Worker"); }
    export { ${names.map((name) => `missing as ${name}`).join(", ")} };`;
}

type PhoneMetadata = {
  country_calling_codes: Record<string, string[]>;
  countries: Record<string, unknown[]>;
  nonGeographic: Record<string, unknown[]>;
};
/** Indexes in a country's entry. */
const LENGTHS = 3;
const FORMATS = 4;
const FORMATTING_RULE = 6;
const LEADING_DIGITS = 10;
const TYPES = 11;

/**
 * The module with the metadata by which numbers are parsed and their lengths checked. Of the countries that share a code,
 * those with the lengths of the first one are left out, and patterns that only tell them apart.
 */
export function reducePhoneMetadata(source: string): string {
  const metadata: PhoneMetadata = JSON.parse(source.slice(source.indexOf("{"), source.lastIndexOf("}") + 1));
  const { country_calling_codes, countries, nonGeographic } = metadata;
  const lengthsOf = (country: string) => String(countries[country]?.[LENGTHS]);
  const kept: Record<string, unknown[]> = {};
  const remove = (entry: unknown[], index: number) => {
    if (index in entry) entry[index] = 0;
  };
  for (const [code, [main = "", ...others]] of Object.entries(country_calling_codes)) {
    const differing = others.filter((country) => lengthsOf(country) !== lengthsOf(main));
    country_calling_codes[code] = [main, ...differing];
    for (const country of [main, ...differing]) {
      const entry = countries[country] ?? [];
      kept[country] = entry;
      if (country === main || entry[LEADING_DIGITS]) remove(entry, TYPES);
    }
  }
  for (const entry of [...Object.values(kept), ...Object.values(nonGeographic)]) {
    remove(entry, FORMATS);
    remove(entry, FORMATTING_RULE);
  }
  return `export default ${JSON.stringify({ ...metadata, countries: kept })}`;
}
