import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { PROVIDER_NAMES } from "../../../worker/contract/options";
import { SettingsSection } from "../../components/layout/settings-section";
import { Button } from "../../components/ui/button";
import { QueryError } from "../../components/ui/query-placeholder";
import { useFormat } from "../../lib/use-format";
import { providersQuery } from "../auth/auth.queries";
import { type LinkedProvider, linkedProvidersQuery, useUnlinkProvider } from "./settings.queries";

/** The sign-in providers of the account; nothing if the operator offers none and none is linked. */
export function LinkedProviders() {
  const { t } = useTranslation(["profile", "errors", "validation"]);
  const { data: offered = [] } = useQuery(providersQuery);
  const query = useQuery(linkedProvidersQuery);
  const { data } = query;
  const list = useRef<HTMLUListElement>(null);
  if (offered.length === 0 && !data?.length) return null;
  return (
    <SettingsSection id="providers" title={t("providers.title")} text={t("providers.text")}>
      {!data && query.error ? (
        <QueryError title={t("providers.loadFailed")} query={query} />
      ) : data?.length === 0 ? (
        <p className="text-ink-soft">{t("providers.none")}</p>
      ) : (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={t("providers.title")}
          className="-my-3 w-full divide-y divide-line outline-none"
        >
          {data?.map((linked) => (
            // The pressed button is removed, and the focus would be lost with it.
            <ProviderItem
              key={linked.provider}
              linked={linked}
              onUnlinked={() => list.current?.focus({ preventScroll: true })}
            />
          ))}
        </ul>
      )}
    </SettingsSection>
  );
}

function ProviderItem({ linked, onUnlinked }: { linked: LinkedProvider; onUnlinked: () => void }) {
  const { t } = useTranslation("profile");
  const format = useFormat();
  const unlink = useUnlinkProvider(linked.provider);
  const provider = PROVIDER_NAMES[linked.provider];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-40 flex-1">
        <p className="font-medium">{provider}</p>
        <p className="break-words text-ink-soft text-xs">
          {t("providers.since", { date: format.date(linked.createdAt) })}
        </p>
        {!linked.removable && <p className="mt-1 text-ink-soft text-xs">{t("providers.only")}</p>}
      </div>
      {linked.removable && (
        <Button
          size="sm"
          loading={unlink.isPending}
          aria-label={t("providers.unlinkNamed", { provider })}
          onClick={() => unlink.mutate(undefined, { onSuccess: onUnlinked })}
        >
          {t("providers.unlink")}
        </Button>
      )}
    </li>
  );
}
