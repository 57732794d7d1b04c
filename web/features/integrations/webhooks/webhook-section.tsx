import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { ConnectionList, ConnectionSection } from "../connection-section";
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
