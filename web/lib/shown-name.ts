import { useTranslation } from "#translation";
import { FIRST_WORKSPACE } from "../../worker/contract/product";

/** The name to show: that of an account's first workspace is translated. */
export function useShownName(): (name: string) => string {
  const { t } = useTranslation("common");
  return (name) => shownName(name, () => t("firstWorkspace"));
}

export const shownName = (name: string, first: () => string): string =>
  name === FIRST_WORKSPACE ? first() : name;
