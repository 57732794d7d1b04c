import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { parseUserAgent } from "../../../worker/contract/user-agent";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { MoreButton, QueryPlaceholder } from "../../components/ui/query-placeholder";
import { useFormat } from "../../lib/use-format";
import { useProviderName } from "../auth/auth.queries";
import {
  type Session,
  type SignIn,
  sessionsQuery,
  signInsQuery,
  useEndOtherSessions,
  useEndSession,
} from "./settings.queries";

/** The account's sessions, each with a button to end it. */
export function SessionList() {
  const { t } = useTranslation("profile");
  const query = useQuery(sessionsQuery);
  const { data } = query;
  const endOthers = useEndOtherSessions();
  const list = useRef<HTMLUListElement>(null);
  // The pressed button is removed, and the focus would be lost with it.
  const keepFocus = () => list.current?.focus({ preventScroll: true });
  if (!data) return <QueryPlaceholder query={query} failed={t("sessions.loadFailed")} rowClass="h-12" />;
  return (
    <div className="flex flex-col items-start gap-4">
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t("sessions.title")}
        className="-my-3 w-full divide-y divide-line outline-none"
      >
        {data.map((session) => (
          <SessionItem key={session.id} session={session} onEnded={keepFocus} />
        ))}
      </ul>
      {data.some(({ current }) => !current) && (
        <Button
          loading={endOthers.isPending}
          onClick={() => endOthers.mutate(undefined, { onSuccess: keepFocus })}
        >
          {t("sessions.endOthers")}
        </Button>
      )}
    </div>
  );
}

/** Names the browser and the system of a User-Agent header. */
export function useDeviceName(): (userAgent: string) => string {
  const { t } = useTranslation("profile");
  return (userAgent) => {
    const { browser, system } = parseUserAgent(userAgent);
    if (browser && system) return t("sessions.device", { browser, system });
    return browser ?? system ?? t("sessions.unknownDevice");
  };
}

function SessionItem({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const { t } = useTranslation("profile");
  const format = useFormat();
  const end = useEndSession();
  const { id, userAgent, address, createdAt, lastUsedAt, current } = session;
  const device = useDeviceName()(userAgent);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span>{device}</span>
          {current && <Badge tone="good">{t("sessions.current")}</Badge>}
        </p>
        <p className="break-words text-ink-soft text-xs">
          {t("sessions.signedIn", { date: format.dateTime(createdAt) })}
        </p>
        <p className="break-words text-ink-soft text-xs">
          {current
            ? t("sessions.activeNow", { address })
            : t("sessions.lastUsed", { date: format.dateTime(lastUsedAt), address })}
        </p>
      </div>
      {!current && (
        <Button
          size="sm"
          loading={end.isPending}
          aria-label={t("sessions.endNamed", { device })}
          onClick={() => end.mutate(id, { onSuccess: onEnded })}
        >
          {t("sessions.end")}
        </Button>
      )}
    </li>
  );
}

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
        <span>{deviceName(browser)}</span>
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
