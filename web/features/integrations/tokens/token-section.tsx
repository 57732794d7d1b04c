import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { useFormat } from "../../../lib/use-format";
import { workspacesQuery } from "../../workspaces/workspaces.queries";
import { ConnectionList, ConnectionSection } from "../connection-section";
import { SecretDialog } from "../secret-dialog";
import { TokenForm } from "./token-form";
import { type ApiToken, tokensQuery, useRevokeToken } from "./tokens.queries";

/** The API tokens of the account: creating, listing and revoking them. */
export function TokenSection() {
  const { t } = useTranslation("integrations");
  const query = useQuery(tokensQuery);
  const revoke = useRevokeToken();
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <ConnectionSection
      id="tokens"
      title={t("tokens.title")}
      text={
        <>
          {t("tokens.text")}{" "}
          <a href="/api/docs" className="inline-block text-accent underline underline-offset-4">
            {t("tokens.docs")}
          </a>
        </>
      }
      action={
        <Button onClick={() => setCreating(true)}>
          <Plus aria-hidden />
          {t("tokens.create")}
        </Button>
      }
    >
      <ConnectionList
        label={t("tokens.title")}
        query={query}
        empty={t("tokens.empty")}
        failed={t("tokens.loadFailed")}
        removal={{
          title: t("tokens.revoke"),
          text: t("tokens.revokeText"),
          detail: ({ name }) => name,
          mutation: revoke,
        }}
      >
        {(token, onRevoke) => <TokenItem key={token.id} token={token} onRevoke={onRevoke} />}
      </ConnectionList>
      {creating && (
        <TokenForm
          onClose={() => setCreating(false)}
          onCreated={(token) => {
            setCreating(false);
            setSecret(token);
          }}
        />
      )}
      {secret && (
        <SecretDialog
          title={t("tokens.created")}
          label={t("tokens.token")}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </ConnectionSection>
  );
}

function TokenItem({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { t } = useTranslation("integrations");
  const format = useFormat();
  const { data: workspaces } = useQuery(workspacesQuery);
  const { name, scope, prefix, createdAt, expiresAt, lastUsedAt, workspaceId } = token;
  const workspace = workspaces?.find(({ id }) => id === workspaceId);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 p-4">
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-2 break-words font-medium">
          <span className="min-w-0 break-words">{name}</span>
          <Badge tone="secondary">{t(`tokens.scopes.${scope}`)}</Badge>
        </p>
        <p className="mt-0.5 break-words text-ink-soft text-xs">
          <code>{prefix}…</code> · {t("tokens.createdOn", { date: format.date(createdAt) })} ·{" "}
          {lastUsedAt ? t("tokens.lastUsed", { when: format.when(lastUsedAt) }) : t("tokens.neverUsed")}
          {expiresAt && <> · {t("tokens.expires", { date: format.date(expiresAt) })}</>}
          {workspace && <> · {t("workspaces.only", { workspace: workspace.name })}</>}
        </p>
      </div>
      <Button size="sm" aria-label={t("tokens.revokeNamed", { name })} onClick={onRevoke}>
        {t("tokens.revokeShort")}
      </Button>
    </li>
  );
}
