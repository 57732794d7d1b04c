import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/ui/badge";
import { MoreButton } from "../../components/ui/more-button";
import { QueryPlaceholder } from "../../components/ui/query-placeholder";
import { useFormat } from "../../lib/use-format";
import { useProviderName } from "../auth/auth.queries";
import { useDeviceName } from "./session-list";
import { type SignIn, signInsQuery } from "./settings.queries";

/** The account's latest sign-ins, failed ones included. */
export function SignInList() {
  const { t } = useTranslation("profile");
  const query = useInfiniteQuery(signInsQuery);
  const { data: rows } = query;
  if (!rows) return <QueryPlaceholder query={query} failed={t("signIns.loadFailed")} rowClass="h-12" />;
  if (rows.length === 0) return <p className="text-ink-soft">{t("signIns.none")}</p>;
  return (
    <div className="flex flex-col items-start gap-4">
      <ul aria-label={t("signIns.title")} className="-my-3 w-full divide-y divide-line">
        {rows.map((signIn) => (
          <SignInItem key={signIn.id} signIn={signIn} />
        ))}
      </ul>
      <MoreButton query={query} label={t("signIns.more")} />
    </div>
  );
}

function SignInItem({ signIn }: { signIn: SignIn }) {
  const { t } = useTranslation("profile");
  const format = useFormat();
  const deviceName = useDeviceName();
  const nameOf = useProviderName();
  const { method, secondFactor, at, address, browser, succeeded } = signIn;
  const first =
    method === "password" || method === "passkey" || method === "invitation" || method === "link"
      ? t(`signIns.${method}`)
      : t("signIns.provider", { provider: nameOf(method) });
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {deviceName(browser)}
        {!succeeded && <Badge tone="bad">{t("signIns.failed")}</Badge>}
      </p>
      <p className="break-words text-ink-soft text-xs">
        {secondFactor
          ? t("signIns.withFactor", { method: first, factor: t(`signIns.factors.${secondFactor}`) })
          : first}
      </p>
      <p className="break-words text-ink-soft text-xs">
        {t("signIns.detail", { date: format.dateTime(at), address })}
      </p>
    </li>
  );
}
