/** Writes `worker/contract/phone-metadata.json` after an update of libphonenumber-js: `bun test/support/phone-metadata.ts`. */
import { write } from "bun";
import metadata from "libphonenumber-js/metadata.min.json";
import { COUNTRIES } from "../../worker/contract/phone";

const FILE = `${import.meta.dir}/../../worker/contract/phone-metadata.json`;

/** What the library knows of the countries whose codes are offered, and all country codes. */
export function phoneMetadata() {
  const offered = Object.entries(COUNTRIES);
  const { version, countries, country_calling_codes: codes, nonGeographic } = metadata;
  return {
    version,
    country_calling_codes: Object.fromEntries(offered.map(([code, country]) => [code.slice(1), [country]])),
    countries: Object.fromEntries(offered.map(([, country]) => [country, countries[country]])),
    otherCodes: [...Object.keys(codes), ...Object.keys(nonGeographic)]
      .filter((code) => !Object.hasOwn(COUNTRIES, `+${code}`))
      .sort(),
  };
}

if (import.meta.main) await write(FILE, `${JSON.stringify(phoneMetadata())}\n`);
