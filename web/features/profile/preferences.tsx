import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language } from "../../../worker/contract/options";
import { Field } from "../../components/ui/field";
import { Select } from "../../components/ui/select";
import { ThemeSwitcher } from "../../components/ui/theme-switcher";
import { useSaveLanguage, useSaveTheme } from "./profile.queries";
import { TimeZoneField } from "./time-zone-field";

export function Preferences() {
  const { t, i18n } = useTranslation(["profile", "common"]);
  const saveLanguage = useSaveLanguage();
  const saveTheme = useSaveTheme();
  const current = LANGUAGES.find((language) => i18n.language.startsWith(language)) ?? LANGUAGES[0];
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,16rem),1fr))] gap-4">
      <Field label={t("preferences.language")}>
        <Select<Language>
          value={current}
          disabled={saveLanguage.isPending}
          onChange={(language) => language !== current && saveLanguage.mutate(language)}
          options={LANGUAGES.map((value) => ({ value, label: t(`common:languages.${value}`) }))}
        />
      </Field>
      <div className="flex flex-col gap-1.5">
        <span aria-hidden className="font-medium text-sm">
          {t("preferences.theme")}
        </span>
        <ThemeSwitcher onPick={(theme) => saveTheme.mutate(theme)} className="h-9" />
      </div>
      <TimeZoneField />
    </div>
  );
}
