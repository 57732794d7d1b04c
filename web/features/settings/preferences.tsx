import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import { useTranslation } from "react-i18next";
import {
  LANGUAGES,
  type Language,
  SUBMISSION_MAILS,
  type SubmissionMails,
} from "../../../worker/contract/options";
import { DEFAULT_TIME_ZONE, timeZoneName } from "../../../worker/contract/time-zones";
import { Field } from "../../components/ui/field";
import { type NativeOption, NativeSelect } from "../../components/ui/input";
import { ThemeSwitcher } from "../../components/ui/theme-switcher";
import { deviceTimeZone } from "../../lib/time-zone";
import { useAccountTimeZone, userQuery } from "../auth/auth.queries";
import { useSaveLanguage, useSavePreference } from "./settings.queries";

export function Preferences() {
  const { t, i18n } = useTranslation(["profile", "common"]);
  const saveLanguage = useSaveLanguage();
  const save = useSavePreference();
  const current = LANGUAGES.find((language) => i18n.language.startsWith(language)) ?? LANGUAGES[0];
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,16rem),1fr))] gap-4">
      <Field label={t("preferences.language")}>
        <NativeSelect
          value={current}
          disabled={saveLanguage.isPending}
          onChange={({ target }) => saveLanguage.mutate(target.value as Language)}
          options={LANGUAGES.map((value) => ({ value, label: t(`common:languages.${value}`) }))}
        />
      </Field>
      <div className="flex flex-col gap-1.5">
        <span aria-hidden className="font-medium text-sm">
          {t("preferences.theme")}
        </span>
        <ThemeSwitcher
          onPick={(theme) => save.mutate({ themePreference: theme })}
          className="h-9 touch:h-auto"
        />
      </div>
      <TimeZoneField />
      <SubmissionMailsField />
    </div>
  );
}

/** Whether a mail tells of each submission or of several, and when. */
function SubmissionMailsField() {
  const { t, i18n } = useTranslation("profile");
  const { data: user } = useQuery(userQuery);
  const save = useSavePreference();
  const { submissionMails = "at_once", digestHour = 8 } = user ?? {};
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "short", timeZone: "UTC" });
  return (
    <div className="flex flex-col gap-4">
      <Field label={t("preferences.submissionMails")} hint={t("preferences.submissionMailsHint")}>
        <NativeSelect
          value={submissionMails}
          disabled={save.isPending}
          onChange={({ target }) => save.mutate({ submissionMails: target.value as SubmissionMails })}
          options={SUBMISSION_MAILS.map((value) => ({ value, label: t(`preferences.choices.${value}`) }))}
        />
      </Field>
      {submissionMails === "daily" && (
        <Field label={t("preferences.digestHour")}>
          <NativeSelect
            value={String(digestHour)}
            disabled={save.isPending}
            onChange={({ target }) => save.mutate({ digestHour: Number(target.value) })}
            options={HOURS.map((hour) => ({
              value: String(hour),
              label: time.format(Date.UTC(2026, 0, 1, hour)),
            }))}
          />
        </Field>
      )}
    </div>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The time zone of expiration days and morning reminders. */
function TimeZoneField() {
  const { t, i18n } = useTranslation("profile");
  const current = useAccountTimeZone() ?? DEFAULT_TIME_ZONE;
  const save = useSavePreference();
  const here = deviceTimeZone();
  // Hundreds of options, which must not delay the page.
  const complete = useDeferredValue(true, false);
  const options = useMemo(
    () =>
      zoneOptions(complete ? [DEFAULT_TIME_ZONE, current, ...Intl.supportedValuesOf("timeZone")] : [current]),
    [complete, current],
  );
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
          onChange={({ target }) => save.mutate({ timeZone: target.value })}
          options={options}
        />
      </Field>
      {here && here !== current && (
        <button
          type="button"
          className="rounded-md py-1 text-left text-accent text-sm hover:underline"
          onClick={() => save.mutate({ timeZone: here })}
        >
          {t("preferences.timeZoneHere", { zone: zoneLabel(here) })}
        </button>
      )}
    </div>
  );
}

/** The zones by region, in alphabetical order; first those without one. */
function zoneOptions(zones: readonly string[]) {
  const regions = new Map<string, string[]>([["", []]]);
  for (const zone of new Set(zones)) {
    const region = zone.includes("/") ? zone.slice(0, zone.indexOf("/")) : "";
    regions.set(region, [...(regions.get(region) ?? []), zone]);
  }
  return [...regions].flatMap(([label, zones]): NativeOption[] => {
    const options = zones.sort().map((value) => ({ value, label: zoneLabel(value) }));
    return label ? [{ label, options }] : options;
  });
}

/** "Argentina, Buenos Aires" of `America/Argentina/Buenos_Aires`. */
const zoneLabel = (zone: string) =>
  zone
    .slice(zone.indexOf("/") + 1)
    .replaceAll("/", ", ")
    .replaceAll("_", " ");
