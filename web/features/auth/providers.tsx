import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "#translation";
import { buttonClass } from "../../components/ui/button";
import { providerPath, providersQuery, useProviderName } from "./auth.queries";

/** Links to the services that the operator has configured, which lead back to `next`. */
export function Providers({ next }: { next?: string | undefined }) {
  const { t } = useTranslation("auth");
  const { data: providers = [] } = useQuery(providersQuery);
  const nameOf = useProviderName();
  if (providers.length === 0) return null;
  return (
    <div className="mt-6">
      <p className="flex items-center gap-3 text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("or")}
      </p>
      <ul className="mt-4 space-y-2">
        {providers.map((provider) => (
          <li key={provider}>
            <a
              href={providerPath(provider, next)}
              className={buttonClass({ size: "lg", className: "w-full" })}
            >
              {t("continueWith", { provider: nameOf(provider) })}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
