import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { Dialog } from "../../../components/ui/dialog";
import { Switch } from "../../../components/ui/switch";
import { useFormat } from "../../../lib/use-format";
import { workspacesQuery } from "../../workspaces/workspaces.queries";
import { DeliveryList } from "./delivery-list";
import { EVENT_NAMES } from "./event-names";
import { useRotateSecret, useSwitchWebhook, useTestWebhook, type Webhook } from "./webhooks.queries";

type WebhookItemProps = {
  webhook: Webhook;
  onSecret: (secret: string) => void;
  onEdit: () => void;
  onDelete: () => void;
};

/** A webhook with its state and what can be done with it. */
export function WebhookItem({ webhook, onSecret, onEdit, onDelete }: WebhookItemProps) {
  const { t } = useTranslation(["integrations", "common"]);
  const [openDialog, setOpenDialog] = useState<"rotate" | "deliveries">();
  const { id, url, enabled } = webhook;
  const change = useSwitchWebhook(id);
  const test = useTestWebhook(id);
  const rotate = useRotateSecret(id);
  const close = () => setOpenDialog(undefined);
  return (
    <li className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <Summary webhook={webhook} />
        <Switch
          label={t(enabled ? "webhooks.on" : "webhooks.off")}
          checked={enabled}
          disabled={change.isPending}
          onChange={(checked) => change.mutate(checked)}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          aria-label={t("webhooks.deliveriesNamed", { url })}
          onClick={() => setOpenDialog("deliveries")}
        >
          {t("webhooks.deliveries")}
        </Button>
        <Button
          size="sm"
          disabled={!enabled}
          loading={test.isPending}
          aria-label={t("webhooks.testNamed", { url })}
          onClick={() => test.mutate()}
        >
          {t("webhooks.test")}
        </Button>
        <Button size="sm" aria-label={t("webhooks.editNamed", { url })} onClick={onEdit}>
          {t("common:edit")}
        </Button>
        <Button
          size="sm"
          aria-label={t("webhooks.rotateNamed", { url })}
          onClick={() => setOpenDialog("rotate")}
        >
          {t("webhooks.rotate")}
        </Button>
        <Button size="sm" aria-label={t("webhooks.deleteNamed", { url })} onClick={onDelete}>
          {t("webhooks.delete")}
        </Button>
      </div>
      {openDialog === "deliveries" && (
        <Dialog open onClose={close} width="lg" title={t("webhooks.deliveries")} subtitle={url}>
          <DeliveryList webhookId={id} enabled={enabled} />
        </Dialog>
      )}
      <ConfirmDialog
        open={openDialog === "rotate"}
        title={t("webhooks.rotate")}
        text={t("webhooks.rotateText")}
        detail={url}
        confirmLabel={t("webhooks.rotate")}
        pending={rotate.isPending}
        onCancel={close}
        onConfirm={() =>
          rotate.mutate(undefined, { onSuccess: ({ secret }) => onSecret(secret), onSettled: close })
        }
      />
    </li>
  );
}

function Summary({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("integrations");
  const format = useFormat();
  const { data: workspaces } = useQuery(workspacesQuery);
  const { url, description, events, enabled, apiTokenId, failingSince, workspaceId } = webhook;
  const workspace = workspaces?.find(({ id }) => id === workspaceId);
  return (
    <div className="min-w-0 flex-1 basis-64">
      <p className="break-all font-medium">{url}</p>
      {description && <p className="break-words text-ink-soft">{description}</p>}
      <p className="mt-0.5 text-ink-soft text-xs">
        {t("webhooks.eventList", { events: events.map((event) => t(EVENT_NAMES[event])).join(", ") })}
      </p>
      {workspace && (
        <p className="mt-0.5 break-words text-ink-soft text-xs">
          {t("workspaces.only", { workspace: workspace.name })}
        </p>
      )}
      {enabled && apiTokenId !== null && (
        <p className="mt-0.5 text-ink-soft text-xs">{t("webhooks.endsWithToken")}</p>
      )}
      {enabled && failingSince && (
        <p className="mt-0.5 text-warn text-xs">
          {t("webhooks.failingSince", { date: format.dateTime(failingSince) })}
        </p>
      )}
    </div>
  );
}
