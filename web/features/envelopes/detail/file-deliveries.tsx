import { useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { useRedeliverFile } from "../../integrations/destinations/destinations.queries";
import { useRole } from "../../workspaces/workspaces.queries";
import type { Envelope, Submission } from "../envelopes.queries";

type FileDelivery = Submission["deliveries"][number];
type FileDeliveriesProps = { envelope: Envelope; deliveries: readonly FileDelivery[] };

/** Where a file was copied to, and where it waits or has failed. */
export default function FileDeliveries({ envelope, deliveries }: FileDeliveriesProps) {
  return (
    <ul className="w-full space-y-1 text-xs">
      {deliveries.map((delivery) => (
        <FileDelivery key={delivery.id} envelope={envelope} delivery={delivery} />
      ))}
    </ul>
  );
}

const ICONS = {
  waiting: { icon: Clock, tone: "text-ink-soft" },
  delivered: { icon: CircleCheck, tone: "text-good" },
  failed: { icon: CircleAlert, tone: "text-bad" },
} as const;

function FileDelivery({ envelope, delivery }: { envelope: Envelope; delivery: FileDelivery }) {
  const { icon: Icon, tone } = ICONS[delivery.state];
  return (
    <li className="flex flex-wrap items-start gap-x-2 gap-y-1">
      <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} />
      <DeliveryText delivery={delivery} />
      {delivery.state === "failed" && <TryAgain envelope={envelope} delivery={delivery} />}
    </li>
  );
}

function DeliveryText({ delivery: { destination, state, path, url, failure } }: { delivery: FileDelivery }) {
  const { t } = useTranslation("destinations");
  const { name } = destination;
  if (state === "waiting")
    return <span className="min-w-0 flex-1 text-ink-soft">{t("file.waiting", { destination: name })}</span>;
  if (state === "failed")
    return (
      <span className="min-w-40 flex-1 text-bad">
        {t("file.failed", { destination: name, reason: failure ? t(`failures.${failure}`) : "" })}
      </span>
    );
  const folder = path?.split("/").slice(0, -1).join(" › ");
  const text = folder
    ? t("file.in", { destination: name, path: folder })
    : t("file.at", { destination: name });
  return url ? (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="min-w-0 flex-1 text-accent underline underline-offset-4 [overflow-wrap:anywhere]"
    >
      {text}
    </a>
  ) : (
    <span className="min-w-0 flex-1 text-ink-soft [overflow-wrap:anywhere]">{text}</span>
  );
}

function TryAgain({ envelope, delivery }: { envelope: Envelope; delivery: FileDelivery }) {
  const { t } = useTranslation("common");
  const client = useQueryClient();
  const { isOwner } = useRole(envelope.workspaceId);
  const again = useRedeliverFile(delivery.destination.id);
  if (!isOwner) return null;
  return (
    <Button
      size="sm"
      loading={again.isPending}
      aria-label={t("labelled", { label: t("tryAgain"), value: delivery.destination.name })}
      onClick={() =>
        again.mutate(delivery.id, {
          // Not awaited: the button is removed by it.
          onSuccess: () => void client.invalidateQueries({ queryKey: ["requests", envelope.id] }),
        })
      }
    >
      {t("tryAgain")}
    </Button>
  );
}
