import { useTranslation } from "react-i18next";
import { documentKey } from "../../worker/contract/document-names";
import { isBound, TODAY } from "../../worker/contract/questions";
import type { ShownField } from "../lib/differences";
import type { DocumentValues } from "../lib/document-entries";
import { regionalLocale } from "../lib/format";
import { writeNumber } from "../lib/typed-number";
import { useFormat } from "../lib/use-format";

/** The requested documents of a form as it shows them: their names in one field, then each field of each. */
export function useDescribeDocuments(): (label: string, list: readonly DocumentValues[]) => ShownField[] {
  const { t, i18n } = useTranslation(["common", "questions"]);
  const format = useFormat();
  const yesNo = (value: boolean) => t(value ? "questions:yes" : "questions:no");
  const bound = (value: string) => {
    if (value === TODAY) return t("questions:today");
    if (isBound("number", value)) return writeNumber(value, regionalLocale(i18n.language));
    return isBound("date", value) ? format.day(value) : value;
  };
  const condition = ({ showIf }: DocumentValues, list: readonly DocumentValues[]) => {
    if (!showIf) return t("questions:always");
    const asked = list.find(({ name }) => documentKey(name) === documentKey(showIf.name));
    const answers =
      asked?.kind === "yesNo" ? showIf.is.map((value) => t(`questions:${value as "yes"}`)) : showIf.is;
    return t("labelled", { label: showIf.name, value: answers.join(", ") });
  };
  const fieldsOf = (entry: DocumentValues, list: readonly DocumentValues[]) => {
    const isFile = entry.kind === "file";
    const fields: Record<Exclude<keyof DocumentValues, "name">, ShownField> = {
      kind: {
        label: t("questions:kind"),
        text: entry.kind === "file" ? t("document.kinds") : t(`questions:kinds.${entry.kind}`),
      },
      required: { label: t("document.required"), text: yesNo(entry.required) },
      description: { label: t(isFile ? "document.description" : "questions:help"), text: entry.description },
      allowedFileTypes: {
        label: t("document.fileTypes"),
        text: isFile ? entry.allowedFileTypes.join(", ") : "",
      },
      options: { label: t("questions:options"), text: entry.options.join("\n") },
      min: { label: t("questions:min"), text: bound(entry.min) },
      max: { label: t("questions:max"), text: bound(entry.max) },
      decimals: { label: t("questions:decimals"), text: String(entry.decimals) },
      format: {
        label: t("questions:format"),
        text: entry.format === "iban" ? "IBAN" : t(`questions:formats.${entry.format ?? "any"}`),
      },
      confidential: { label: t("questions:confidential"), text: yesNo(entry.confidential) },
      reasonAllowed: {
        label: t(isFile ? "document.reasonAllowed" : "questions:reasonAllowed"),
        text: yesNo(entry.reasonAllowed),
      },
      multiple: { label: t("document.multiple"), text: yesNo(entry.multiple) },
      asksValidUntil: { label: t("questions:asksValidUntil"), text: yesNo(entry.asksValidUntil) },
      renewDays: { label: t("questions:renewDays"), text: String(entry.renewDays ?? "") },
      showIf: { label: t("questions:askIf"), text: condition(entry, list) },
      attachments: {
        label: t("questions:attach"),
        text: entry.attachments.map(({ fileName }) => fileName).join("\n"),
      },
    };
    return Object.values(fields);
  };
  return (label, list) => {
    const names = list.map(({ name }, index) => name.trim() || t("document.number", { number: index + 1 }));
    return [
      { label, text: names.join("\n") },
      ...list.flatMap((entry, index) =>
        fieldsOf(entry, list).map((field) => ({
          ...field,
          label: t("labelled", { label: names[index], value: field.label }),
        })),
      ),
    ];
  };
}
