import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { ConnectionSection } from "../connection-section";
import { ListState } from "../list-state";
import { SecretDialog } from "../secret-dialog";
import { WebhookForm } from "./webhook-form";
import { WebhookItem } from "./webhook-item";
import { useDeleteWebhook, type Webhook, webhooksQuery } from "./webhooks.queries";

/** The addresses that are notified of events. */
export function WebhookSection() {
  const { t } = useTranslation("integrations");
  const query = useQuery(webhooksQuery);
  const remove = useDeleteWebhook();
  /** The webhook that is edited, or "new". */
  const [editing, setEditing] = useState<Webhook | "new">();
  const [secret, setSecret] = useState<string>();
  const [deleting, setDeleting] = useState<Webhook>();
  const list = useRef<HTMLUListElement>(null);
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
      <ListState query={query} empty={t("webhooks.empty")} failed={t("webhooks.loadFailed")}>
        {(webhooks) => (
          <ul
            ref={list}
            tabIndex={-1}
            aria-label={t("webhooks.title")}
            className="divide-y divide-line rounded-card border border-line bg-surface outline-none"
          >
            {webhooks.map((webhook) => (
              <WebhookItem
                key={webhook.id}
                webhook={webhook}
                onSecret={setSecret}
                onEdit={() => setEditing(webhook)}
                onDelete={() => setDeleting(webhook)}
              />
            ))}
          </ul>
        )}
      </ListState>
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
      <ConfirmDialog
        open={deleting !== undefined}
        title={t("webhooks.deleteTitle")}
        text={t("webhooks.deleteText")}
        detail={deleting?.url}
        confirmLabel={t("webhooks.deleteTitle")}
        pending={remove.isPending}
        onCancel={() => setDeleting(undefined)}
        onConfirm={() =>
          deleting &&
          remove.mutate(deleting.id, {
            onSettled: () => {
              setDeleting(undefined);
              list.current?.focus({ preventScroll: true });
            },
          })
        }
      />
    </ConnectionSection>
  );
}
