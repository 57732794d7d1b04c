/**
 * Writes `worker/contract/phone-metadata.json` and `web/lib/phone-formats.json` after an update of libphonenumber-js:
 * `bun test/support/phone-metadata.ts`.
 */
import { write } from "bun";
import metadata from "libphonenumber-js/metadata.min.json";
import { COUNTRIES } from "../../worker/contract/phone";

const ROOT = `${import.meta.dir}/../..`;
/** Where the library has how numbers are written. */
const FORMATS = 4;

const offered = Object.entries(COUNTRIES);

/** What the library knows of the countries whose codes are offered, without formats, and all country codes. */
export function phoneMetadata() {
  const { version, countries, country_calling_codes: codes, nonGeographic } = metadata;
  return {
    version,
    country_calling_codes: Object.fromEntries(offered.map(([code, country]) => [code.slice(1), [country]])),
    countries: Object.fromEntries(
      offered.map(([, country]) => [country, (countries[country] as unknown[]).with(FORMATS, 0)]),
    ),
    otherCodes: [...Object.keys(codes), ...Object.keys(nonGeographic)]
      .filter((code) => !Object.hasOwn(COUNTRIES, `+${code}`))
      .sort(),
  };
}

/** How numbers are written in these countries. */
export const phoneFormats = () =>
  Object.fromEntries(offered.map(([, country]) => [country, metadata.countries[country]?.[FORMATS]]));

if (import.meta.main) {
  await write(`${ROOT}/worker/contract/phone-metadata.json`, `${JSON.stringify(phoneMetadata())}\n`);
  await write(`${ROOT}/web/lib/phone-formats.json`, `${JSON.stringify(phoneFormats())}\n`);
}
