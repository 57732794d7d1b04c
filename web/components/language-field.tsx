import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { picklist } from "valibot";
import { LANGUAGES } from "../../worker/contract/options";
import { Field } from "./ui/field";
import { NativeSelect } from "./ui/native-select";

/** A language as its field holds it: blank for none. */
export const languageOrBlank = picklist(["", ...LANGUAGES]);

type LanguageFieldProps = Omit<ComponentProps<typeof NativeSelect>, "options" | "className"> & {
  hint: string;
  error: string | undefined;
};

/** In which language somebody gets messages, if that is known. */
export function LanguageField({ hint, error, ...select }: LanguageFieldProps) {
  const { t } = useTranslation("common");
  const options = LANGUAGES.map((value) => ({ value: value as string, label: t(`languages.${value}`) }));
  return (
    <Field label={t("language")} hint={hint} error={error}>
      <NativeSelect {...select} options={[{ value: "", label: t("noLanguage") }, ...options]} />
    </Field>
  );
}
