import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { QueryError } from "../../../components/ui/query-error";
import { Skeleton, SkeletonGroup } from "../../../components/ui/skeleton";
import { useFormat } from "../../../lib/use-format";
import { type Session, sessionsQuery, useEndOtherSessions, useEndSession } from "./sessions.queries";
import { parseUserAgent } from "./user-agent";

/** The account's sessions, each with a button to end it. */
export function SessionList() {
  const { t } = useTranslation(["profile", "common", "errors", "validation"]);
  const query = useQuery(sessionsQuery);
  const { data } = query;
  const endOthers = useEndOtherSessions();
  const list = useRef<HTMLUListElement>(null);
  // The pressed button is removed, and the focus would be lost with it.
  const keepFocus = () => list.current?.focus({ preventScroll: true });
  if (!data && query.error) return <QueryError title={t("sessions.loadFailed")} query={query} />;
  if (!data)
    return (
      <SkeletonGroup label={t("common:loading")} className="space-y-2">
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
      </SkeletonGroup>
    );
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

function SessionItem({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const { t } = useTranslation("profile");
  const format = useFormat();
  const end = useEndSession();
  const { id, userAgent, address, createdAt, lastUsedAt, current } = session;
  const { browser, system } = parseUserAgent(userAgent);
  const device =
    browser && system
      ? t("sessions.device", { browser, system })
      : (browser ?? system ?? t("sessions.unknownDevice"));
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
