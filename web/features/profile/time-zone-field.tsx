import { useTranslation } from "react-i18next";
import { DEFAULT_TIME_ZONE, timeZoneName } from "../../../worker/contract/time-zones";
import { Field } from "../../components/ui/field";
import { NativeSelect } from "../../components/ui/native-select";
import { deviceTimeZone } from "../../lib/time-zone";
import { useAccountTimeZone } from "../auth/auth.queries";
import { useSaveTimeZone } from "./profile.queries";

/** The time zone of expiration days and morning reminders. */
export function TimeZoneField() {
  const { t, i18n } = useTranslation("profile");
  const current = useAccountTimeZone() ?? DEFAULT_TIME_ZONE;
  const save = useSaveTimeZone();
  const here = deviceTimeZone();
  return (
    <div className="flex flex-col items-start gap-1.5">
      <Field
        label={t("preferences.timeZone")}
        hint={t("preferences.timeZoneHint", { zone: timeZoneName(current, i18n.language) })}
        className="w-full"
      >
        <NativeSelect
          value={current}
          disabled={save.isPending}
          onChange={({ target }) => save.mutate(target.value)}
          groups={zoneGroups(current)}
        />
      </Field>
      {here && here !== current && (
        <button
          type="button"
          className="rounded-md py-1 text-left text-accent text-sm hover:underline"
          onClick={() => save.mutate(here)}
        >
          {t("preferences.timeZoneHere", { zone: zoneLabel(here) })}
        </button>
      )}
    </div>
  );
}

/** The zones by region, in alphabetical order; the account's own zone is included in any browser. */
function zoneGroups(current: string) {
  const regions = new Map<string, string[]>([["", []]]);
  for (const zone of new Set([DEFAULT_TIME_ZONE, current, ...Intl.supportedValuesOf("timeZone")])) {
    const region = zone.includes("/") ? zone.slice(0, zone.indexOf("/")) : "";
    regions.set(region, [...(regions.get(region) ?? []), zone]);
  }
  return [...regions].map(([label, zones]) => ({
    label,
    options: zones.sort().map((value) => ({ value, label: zoneLabel(value) })),
  }));
}

/** "Argentina, Buenos Aires" of `America/Argentina/Buenos_Aires`. */
const zoneLabel = (zone: string) =>
  zone
    .slice(zone.indexOf("/") + 1)
    .replaceAll("/", ", ")
    .replaceAll("_", " ");
