import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { useFormat } from "../../../lib/use-format";
import { ListState } from "../connection-section";
import { EVENT_NAMES } from "./event-names";
import { type Delivery, deliveriesQuery, useRedeliver } from "./webhooks.queries";

const TONES = { pending: "outline", delivered: "good", failed: "bad" } as const;

/** What was sent to a webhook, newest first, each with a button to send it again. */
export function DeliveryList({ webhookId, enabled }: { webhookId: number; enabled: boolean }) {
  const { t } = useTranslation(["integrations", "common"]);
  const query = useQuery(deliveriesQuery(webhookId));
  const list = useRef<HTMLDivElement>(null);
  return (
    <div ref={list} tabIndex={-1} className="flex flex-col gap-2 outline-none">
      <Button size="sm" className="self-end" loading={query.isFetching} onClick={() => void query.refetch()}>
        {!query.isFetching && <RotateCw aria-hidden />}
        {t("webhooks.refresh")}
      </Button>
      <ListState query={query} empty={t("webhooks.noDeliveries")} failed={t("webhooks.deliveriesFailed")}>
        {(deliveries) => (
          <ul aria-label={t("webhooks.deliveries")} className="divide-y divide-line">
            {deliveries.map((delivery) => (
              <DeliveryItem
                key={delivery.id}
                webhookId={webhookId}
                delivery={delivery}
                resendable={enabled && delivery.status !== "pending"}
                onResent={() => list.current?.focus({ preventScroll: true })}
              />
            ))}
          </ul>
        )}
      </ListState>
    </div>
  );
}

type DeliveryItemProps = {
  webhookId: number;
  delivery: Delivery;
  resendable: boolean;
  onResent: () => void;
};

function DeliveryItem({ webhookId, delivery, resendable, onResent }: DeliveryItemProps) {
  const { t } = useTranslation("integrations");
  const format = useFormat();
  const redeliver = useRedeliver(webhookId);
  const { id, event, status, statusCode, durationMs, attempts, response, failure, createdAt } = delivery;
  const { nextAttemptAt } = delivery;
  const name = t(EVENT_NAMES[event]);
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 py-3">
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          <Badge tone={TONES[status]}>{t(`webhooks.statuses.${status}`)}</Badge>
        </p>
        <p className="mt-0.5 break-words text-ink-soft text-xs">
          {format.dateTime(createdAt)}
          {attempts > 0 && <> · {t("webhooks.attempts", { tries: attempts })}</>}
          {statusCode !== null && <> · HTTP {statusCode}</>}
          {durationMs !== null && <> · {t("webhooks.duration", { ms: format.number(durationMs) })}</>}
          {nextAttemptAt && attempts > 0 && (
            <> · {t("webhooks.nextAttempt", { date: format.dateTime(nextAttemptAt) })}</>
          )}
        </p>
        {failure && <p className="mt-0.5 text-bad text-xs">{t(`webhooks.failures.${failure}`)}</p>}
        {response && (
          <details className="mt-1 text-xs">
            <summary className="cursor-pointer text-ink-soft">{t("webhooks.response")}</summary>
            <pre className="mt-1 max-h-40 overflow-auto whitespace-pre-wrap break-words rounded-control bg-sunken p-2">
              {response}
            </pre>
          </details>
        )}
      </div>
      {resendable && (
        <Button
          size="sm"
          loading={redeliver.isPending}
          aria-label={t("webhooks.redeliverNamed", { event: name, date: format.dateTime(createdAt) })}
          onClick={() => redeliver.mutate(id, { onSuccess: onResent })}
        >
          {t("webhooks.redeliver")}
        </Button>
      )}
    </li>
  );
}
