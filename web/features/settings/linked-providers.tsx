import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ErrorCode } from "../../../worker/contract/errors";
import { SettingsSection } from "../../components/layout/settings-section";
import { Button } from "../../components/ui/button";
import { QueryError } from "../../components/ui/query-placeholder";
import { toast } from "../../components/ui/toast-store";
import { useFormat } from "../../lib/use-format";
import { providersQuery, useProviderName } from "../auth/auth.queries";
import { ProvedOnly } from "./proved-only";
import {
  type LinkedProvider,
  linkedProvidersQuery,
  useLinkProvider,
  useUnlinkProvider,
} from "./settings.queries";

/** The sign-in providers of the account; nothing if the operator offers none and none is linked. */
export function LinkedProviders() {
  const { t } = useTranslation(["profile", "errors", "validation"]);
  const { data: offered = [] } = useQuery(providersQuery);
  const query = useQuery(linkedProvidersQuery);
  const { data } = query;
  const list = useRef<HTMLUListElement>(null);
  const link = useLinkProvider();
  const nameOf = useProviderName();
  useLinkToast();
  if (offered.length === 0 && !data?.length) return null;
  const missing = data && offered.filter((name) => !data.some(({ provider }) => provider === name));
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
      {missing && missing.length > 0 && (
        <div className="mt-4">
          <ProvedOnly>
            <div className="flex flex-wrap gap-2">
              {missing.map((provider) => (
                <Button
                  key={provider}
                  size="sm"
                  loading={link.isPending && link.variables === provider}
                  onClick={() => link.mutate(provider)}
                >
                  {t("providers.link", { provider: nameOf(provider) })}
                </Button>
              ))}
            </div>
          </ProvedOnly>
        </div>
      )}
    </SettingsSection>
  );
}

/** Why a provider was not linked, from the URL of its callback. */
function useLinkToast(): void {
  const { t, i18n } = useTranslation(["profile", "errors", "common"]);
  useEffect(() => {
    const url = new URL(location.href);
    const code = url.searchParams.get("error");
    if (!code) return;
    const text = i18n.exists(code, { ns: "errors" })
      ? t(`errors:${code as ErrorCode}`)
      : t("common:failure.unknown");
    toast({ title: t("profile:providers.linkFailed"), text, destructive: true });
    url.searchParams.delete("error");
    history.replaceState(history.state, "", url);
  }, [t, i18n]);
}

function ProviderItem({ linked, onUnlinked }: { linked: LinkedProvider; onUnlinked: () => void }) {
  const { t } = useTranslation("profile");
  const format = useFormat();
  const unlink = useUnlinkProvider(linked.provider);
  const provider = useProviderName()(linked.provider);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-40 flex-1">
        <p className="font-medium">{provider}</p>
        <p className="break-words text-ink-soft text-xs">
          {t("providers.since", { date: format.date(linked.createdAt) })}
        </p>
        <p className="mt-1 text-ink-soft text-xs">{t("providers.duty", { provider })}</p>
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
