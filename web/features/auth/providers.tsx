import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { PROVIDER_NAMES } from "../../../worker/contract/options";
import { buttonClass } from "../../components/ui/button";
import { providersQuery } from "./auth.queries";

/** Links to the services that the operator has configured, with a note under them. */
export function Providers({ note }: { note?: string }) {
  const { t } = useTranslation("auth");
  const { data: providers = [] } = useQuery(providersQuery);
  if (providers.length === 0) return null;
  return (
    <div className="mt-6">
      <p className="flex items-center gap-3 text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("or")}
      </p>
      <ul className="mt-4 space-y-2">
        {providers.map((provider) => (
          <li key={provider}>
            <a href={`/api/auth/${provider}`} className={buttonClass({ size: "lg", className: "w-full" })}>
              {t("continueWith", { provider: PROVIDER_NAMES[provider] })}
            </a>
          </li>
        ))}
      </ul>
      {note && <p className="mt-3 text-ink-soft text-xs">{note}</p>}
    </div>
  );
}
