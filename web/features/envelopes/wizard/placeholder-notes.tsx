import { useTranslation } from "react-i18next";
import { typedPlaceholders } from "../../../../worker/contract/placeholders";
import type { FoundPlaceholders } from "./use-placeholders";

/** Which placeholders have no value for the recipient, and which are unknown. */
export function PlaceholderNotes({ found }: { found: FoundPlaceholders | undefined }) {
  const { t } = useTranslation("envelopes");
  if (!found) return null;
  const missing = typedPlaceholders(found.missing.flatMap(({ names }) => names));
  const unknown = typedPlaceholders(found.unknown);
  return (
    <div role="status" className="text-xs empty:hidden">
      {missing && <p className="font-medium text-warn">{t("placeholders.missing", { names: missing })}</p>}
      {unknown && <p className="text-ink-soft">{t("placeholders.unknown", { names: unknown })}</p>}
    </div>
  );
}
