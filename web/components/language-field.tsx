import { useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { type InferInput, picklist } from "valibot";
import { LANGUAGES } from "../../worker/contract/options";
import { useFieldError } from "../lib/form";
import { Field } from "./ui/field";
import { NativeSelect } from "./ui/input";

/** A language as its field holds it: blank for none. */
export const languageOrBlank = picklist(["", ...LANGUAGES]);

/** The languages by their names, after the choice of none. */
export function useLanguageChoices(): readonly { value: string; label: string }[] {
  const { t } = useTranslation("common");
  const languages = LANGUAGES.map((value) => ({ value, label: t(`languages.${value}`) }));
  return [{ value: "", label: t("noLanguage") }, ...languages];
}

/** In which language somebody gets messages, if that is known, in the form around it. */
export function LanguageField({ hint }: { hint: string }) {
  const { t } = useTranslation("common");
  const fieldError = useFieldError();
  const { register, formState } = useFormContext<{ language: InferInput<typeof languageOrBlank> }>();
  return (
    <Field label={t("language")} hint={hint} error={fieldError(formState.errors.language)}>
      <NativeSelect {...register("language")} options={useLanguageChoices()} />
    </Field>
  );
}
