import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language } from "../../../worker/contract/options";
import { api, json } from "../../lib/api";
import { hasChosenLanguage } from "../../lib/language";
import { applyTheme, hasStoredTheme } from "../../lib/theme";
import { deviceTimeZone } from "../../lib/time-zone";
import { type User, userQuery } from "../auth/auth.queries";

/** The preferences of an account that has chosen none. */
const DEFAULTS = { theme: "system", language: "en" } as const;

/**
 * Applies the account's theme and language on a device without a choice of its own. A new account gets the browser's
 * language, in which its mails are then written, and an account without a time zone gets the device's.
 */
export function useAccountPreferences(user: User): void {
  const { i18n } = useTranslation();
  const client = useQueryClient();
  const { mutate: save } = useMutation({
    mutationFn: (changes: { languagePreference?: Language; timeZone?: string }) =>
      json(api.user.profile.$patch({ json: changes })),
    // Merged, because another preference may have been saved meanwhile.
    onSuccess: ({ timeZone }) =>
      client.setQueryData(userQuery.queryKey, (cached) => cached && { ...cached, timeZone }),
  });
  const applied = useRef(false);
  useEffect(() => {
    // Once per sign-in: afterwards the choice is made on this device.
    if (applied.current) return;
    applied.current = true;
    const { themePreference: theme, languagePreference: language } = user;
    if (theme !== DEFAULTS.theme && !hasStoredTheme()) applyTheme(theme);
    const timeZone = user.timeZone ?? deviceTimeZone();
    const isUnknown = timeZone !== user.timeZone;
    const current = LANGUAGES.find((known) => i18n.language.startsWith(known)) ?? DEFAULTS.language;
    const isNew = language === DEFAULTS.language && language !== current && !user.onboardingCompleted;
    if (language !== DEFAULTS.language && language !== current && !hasChosenLanguage())
      void i18n.changeLanguage(language);
    if (isNew || isUnknown)
      save({ ...(isUnknown && timeZone && { timeZone }), ...(isNew && { languagePreference: current }) });
  }, [user, i18n, save]);
}
