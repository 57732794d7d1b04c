import { useInfiniteQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { NativeSelect } from "../../../components/ui/input";
import { MoreButton, QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { Separated } from "../../../components/ui/separated";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import { useFormat } from "../../../lib/use-format";
import {
  type DeliveryState,
  type Destination,
  type FileDelivery,
  fileDeliveriesQuery,
  useRedeliverFile,
} from "./destinations.queries";

const TONES = { waiting: "outline", delivered: "good", failed: "bad" } as const;
const STATES = Object.keys(TONES) as DeliveryState[];

type DestinationLogProps = { destination: Destination; onClose: () => void };

/** What was delivered to a destination and what waits, newest first, each with a button to deliver it again. */
export function DestinationLog({ destination: { id, name }, onClose }: DestinationLogProps) {
  const { t } = useTranslation(["destinations", "integrations", "common"]);
  const [state, setState] = useState<DeliveryState>();
  const query = useInfiniteQuery(fileDeliveriesQuery(id, state));
  const list = useRef<HTMLDivElement>(null);
  const { data: rows } = query;
  useCloseOnBack(true, onClose);
  return (
    <Dialog onClose={onClose} width="lg" title={t("log.title")} subtitle={name}>
      <div ref={list} tabIndex={-1} className="flex flex-col gap-2 outline-none">
        <div className="flex flex-wrap justify-between gap-2">
          <NativeSelect
            aria-label={t("log.state")}
            value={state ?? ""}
            options={[
              { value: "", label: t("log.all") },
              ...STATES.map((value) => ({ value, label: t(`log.states.${value}`) })),
            ]}
            onChange={({ target: { value } }) => setState(STATES.find((known) => known === value))}
          />
          <Button loading={query.isFetching} onClick={() => void query.refetch()}>
            {!query.isFetching && <RotateCw aria-hidden />}
            {t("integrations:webhooks.refresh")}
          </Button>
        </div>
        {!rows && <QueryPlaceholder query={query} failed={t("log.loadFailed")} rowClass="h-14" />}
        {rows?.length === 0 && <p className="py-6 text-center text-ink-soft">{t("log.empty")}</p>}
        {rows && rows.length > 0 && (
          <ul aria-label={t("log.title")} className="divide-y divide-line">
            {rows.map((delivery) => (
              <LogItem
                key={delivery.id}
                destinationId={id}
                delivery={delivery}
                onRedelivered={() => list.current?.focus({ preventScroll: true })}
              />
            ))}
          </ul>
        )}
        <MoreButton query={query} label={t("log.more")} className="self-start" />
      </div>
    </Dialog>
  );
}

type LogItemProps = { destinationId: number; delivery: FileDelivery; onRedelivered: () => void };

function LogItem({ destinationId, delivery, onRedelivered }: LogItemProps) {
  const { t } = useTranslation(["destinations", "integrations", "common"]);
  const format = useFormat();
  const redeliver = useRedeliverFile(destinationId);
  const { id, documentName, fileName, state, path, url, attempts, failure, failureText } = delivery;
  const { createdAt, deliveredAt, nextAttemptAt } = delivery;
  const where = path?.split("/").join(" › ");
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 py-3">
      <div className="min-w-40 flex-1 space-y-0.5">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 [overflow-wrap:anywhere]">{fileName}</span>
          <Badge tone={TONES[state]}>{t(`log.states.${state}`)}</Badge>
        </p>
        {where && (
          <p className="text-xs [overflow-wrap:anywhere]">
            {url ? (
              <a
                href={url}
                target="_blank"
                rel="noreferrer"
                className="text-accent underline underline-offset-4"
              >
                {where}
              </a>
            ) : (
              where
            )}
          </p>
        )}
        <div className="text-ink-soft text-xs">
          <Separated>
            {documentName}
            {format.dateTime(deliveredAt ?? createdAt)}
            {attempts > 1 && t("integrations:webhooks.attempts", { tries: attempts })}
            {nextAttemptAt &&
              attempts > 0 &&
              t("integrations:webhooks.nextAttempt", { date: format.dateTime(nextAttemptAt) })}
          </Separated>
        </div>
        {failure && (
          <p className="text-bad text-xs [overflow-wrap:anywhere]">
            {failureText
              ? t("common:labelled", { label: t(`failures.${failure}`), value: failureText })
              : t(`failures.${failure}`)}
          </p>
        )}
      </div>
      {state !== "waiting" && (
        <Button
          size="sm"
          loading={redeliver.isPending}
          aria-label={t("actionOf", { action: t("log.again"), name: fileName })}
          onClick={() => redeliver.mutate(id, { onSuccess: onRedelivered })}
        >
          {t("log.again")}
        </Button>
      )}
    </li>
  );
}
