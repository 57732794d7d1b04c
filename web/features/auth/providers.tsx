import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "#translation";
import { Button } from "../../components/ui/button";
import { providersQuery, useProviderName, useProviderSignIn } from "./auth.queries";

/** Buttons of the services that the operator has configured, which lead back to `next`. */
export function Providers({ next }: { next?: string | undefined }) {
  const { t } = useTranslation("auth");
  const { data: providers = [] } = useQuery(providersQuery);
  const nameOf = useProviderName();
  const signIn = useProviderSignIn(next);
  if (providers.length === 0) return null;
  return (
    <div className="mt-6">
      <p className="flex items-center gap-3 text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("or")}
      </p>
      <ul className="mt-4 space-y-2">
        {providers.map((provider) => (
          <li key={provider}>
            <Button
              size="lg"
              className="w-full"
              loading={signIn.isPending && signIn.variables === provider}
              onClick={() => signIn.mutate(provider)}
            >
              {t("continueWith", { provider: nameOf(provider) })}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
