import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { parseUserAgent } from "../../../worker/contract/user-agent";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { QueryPlaceholder } from "../../components/ui/query-placeholder";
import { useFormat } from "../../lib/use-format";
import { type Session, sessionsQuery, useEndOtherSessions, useEndSession } from "./settings.queries";

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
          {device}
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
