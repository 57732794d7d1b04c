import { useQuery } from "@tanstack/react-query";
import { Plus, RotateCw } from "lucide-react";
import { type ComponentProps, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { Dialog } from "../../../components/ui/dialog";
import { Disclosure } from "../../../components/ui/disclosure";
import { Switch } from "../../../components/ui/switch";
import { useShownName } from "../../../lib/shown-name";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import { useFormat } from "../../../lib/use-format";
import { workspacesQuery } from "../../workspaces/workspaces.queries";
import { ConnectionList, ConnectionSection, ListState } from "../connection-section";
import { SecretDialog } from "../secret-dialog";
import { WebhookForm } from "./webhook-form";
import {
  type Delivery,
  deliveriesQuery,
  EVENT_NAMES,
  useDeleteWebhook,
  useRedeliver,
  useRotateSecret,
  useSwitchWebhook,
  useTestWebhook,
  type Webhook,
  webhooksQuery,
} from "./webhooks.queries";

/** The addresses that are notified of events. */
export function WebhookSection() {
  const { t } = useTranslation("integrations");
  const query = useQuery(webhooksQuery);
  const remove = useDeleteWebhook();
  /** The webhook that is edited, or "new". */
  const [editing, setEditing] = useState<Webhook | "new">();
  const [secret, setSecret] = useState<string>();
  return (
    <ConnectionSection
      id="webhooks"
      title={t("webhooks.title")}
      text={t("webhooks.text")}
      action={
        <Button onClick={() => setEditing("new")}>
          <Plus aria-hidden />
          {t("webhooks.create")}
        </Button>
      }
    >
      <ConnectionList
        label={t("webhooks.title")}
        query={query}
        empty={t("webhooks.empty")}
        failed={t("webhooks.loadFailed")}
        removal={{
          title: t("webhooks.deleteTitle"),
          text: t("webhooks.deleteText"),
          detail: ({ url }) => url,
          mutation: remove,
        }}
      >
        {(webhook, onDelete) => (
          <WebhookItem
            key={webhook.id}
            webhook={webhook}
            onSecret={setSecret}
            onEdit={() => setEditing(webhook)}
            onDelete={onDelete}
          />
        )}
      </ConnectionList>
      {editing && (
        <WebhookForm
          webhook={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onCreated={(created) => {
            setEditing(undefined);
            setSecret(created);
          }}
        />
      )}
      {secret && (
        <SecretDialog
          title={t("webhooks.secretTitle")}
          label={t("webhooks.secret")}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </ConnectionSection>
  );
}

type WebhookItemProps = {
  webhook: Webhook;
  onSecret: (secret: string) => void;
  onEdit: () => void;
  onDelete: () => void;
};

/** A webhook with its state and what can be done with it. */
function WebhookItem({ webhook, onSecret, onEdit, onDelete }: WebhookItemProps) {
  const { t } = useTranslation(["integrations", "common"]);
  const [openDialog, setOpenDialog] = useState<"rotate" | "deliveries">();
  const { id, url, enabled, needsNewSecret } = webhook;
  const change = useSwitchWebhook(id);
  const test = useTestWebhook(id);
  const rotate = useRotateSecret(id);
  const close = () => setOpenDialog(undefined);
  useCloseOnBack(openDialog === "deliveries", close);
  return (
    <li className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <Summary webhook={webhook} />
        {needsNewSecret ? (
          <Button
            size="sm"
            variant="primary"
            aria-label={t("webhooks.switchOnNewNamed", { url })}
            loading={change.isPending}
            onClick={() => change.mutate(true, { onSuccess: ({ secret }) => secret && onSecret(secret) })}
          >
            {t("webhooks.switchOnNew")}
          </Button>
        ) : (
          <Switch
            label={
              <>
                {t(enabled ? "webhooks.on" : "webhooks.off")} <span className="sr-only">{url}</span>
              </>
            }
            checked={enabled}
            disabled={change.isPending}
            onChange={(checked) => change.mutate(checked)}
          />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Action name="deliveries" url={url} onClick={() => setOpenDialog("deliveries")} />
        <Action
          name="test"
          url={url}
          disabled={!enabled}
          loading={test.isPending}
          onClick={() => test.mutate()}
        />
        <Button size="sm" aria-label={t("webhooks.editNamed", { url })} onClick={onEdit}>
          {t("common:edit")}
        </Button>
        <Action name="rotate" url={url} onClick={() => setOpenDialog("rotate")} />
        <Action name="delete" url={url} onClick={onDelete} />
      </div>
      {openDialog === "deliveries" && (
        <Dialog onClose={close} width="lg" title={t("webhooks.deliveries")} subtitle={url}>
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

type ActionProps = Pick<ComponentProps<typeof Button>, "disabled" | "loading" | "onClick"> & {
  name: "deliveries" | "test" | "rotate" | "delete";
  url: string;
};

/** A button whose accessible name has the webhook's address. */
function Action({ name, url, ...button }: ActionProps) {
  const { t } = useTranslation("integrations");
  return (
    <Button {...button} size="sm" aria-label={t(`webhooks.${name}Named`, { url })}>
      {t(`webhooks.${name}`)}
    </Button>
  );
}

function Summary({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("integrations");
  const format = useFormat();
  const { data: workspaces } = useQuery(workspacesQuery);
  const { url, description, events, enabled, apiTokenId, failingSince, workspaceId } = webhook;
  const { needsNewSecret } = webhook;
  const workspace = workspaces?.find(({ id }) => id === workspaceId);
  const shown = useShownName();
  return (
    <div className="min-w-0 flex-1 basis-64">
      <p className="break-all font-medium">{url}</p>
      {description && <p className="break-words text-ink-soft">{description}</p>}
      <p className="mt-0.5 text-ink-soft text-xs">
        {t("webhooks.eventList", { events: events.map((event) => t(EVENT_NAMES[event])).join(", ") })}
      </p>
      {workspace && (
        <p className="mt-0.5 break-words text-ink-soft text-xs">
          {t("workspaces.only", { workspace: shown(workspace.name) })}
        </p>
      )}
      {needsNewSecret && <p className="mt-0.5 text-warn text-xs">{t("webhooks.secretKnown")}</p>}
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

const TONES = { pending: "outline", delivered: "good", failed: "bad" } as const;

/** What was sent to a webhook, newest first, each with a button to send it again. */
function DeliveryList({ webhookId, enabled }: { webhookId: number; enabled: boolean }) {
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
          {[
            format.dateTime(createdAt),
            attempts > 0 && t("webhooks.attempts", { tries: attempts }),
            statusCode !== null && `HTTP ${statusCode}`,
            durationMs !== null && t("webhooks.duration", { ms: format.number(durationMs) }),
            nextAttemptAt &&
              attempts > 0 &&
              t("webhooks.nextAttempt", { date: format.dateTime(nextAttemptAt) }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {failure && <p className="mt-0.5 text-bad text-xs">{t(`webhooks.failures.${failure}`)}</p>}
        {response && (
          <Disclosure className="mt-1" summary={t("webhooks.response")}>
            <pre className="mt-1 text-xs max-h-40 overflow-auto whitespace-pre-wrap break-words rounded-control bg-sunken p-2">
              {response}
            </pre>
          </Disclosure>
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
