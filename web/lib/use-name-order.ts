import { useTranslation } from "react-i18next";

/** Languages that write the family name first. */
const FAMILY_NAME_FIRST = new Set(["ja", "zh"]);

/** Puts what belongs to the given and the family name into the language's order. */
export function useNameOrder() {
  const { i18n } = useTranslation();
  const familyNameFirst = FAMILY_NAME_FIRST.has(i18n.language);
  return {
    familyNameFirst,
    inNameOrder: <T>(given: T, family: T): T[] => (familyNameFirst ? [family, given] : [given, family]),
  };
}
