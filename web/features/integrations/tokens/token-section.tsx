import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { useFormat } from "../../../lib/use-format";
import { ConnectionSection } from "../connection-section";
import { ListState } from "../list-state";
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
  const [revoking, setRevoking] = useState<ApiToken>();
  const list = useRef<HTMLUListElement>(null);
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
      <ListState query={query} empty={t("tokens.empty")} failed={t("tokens.loadFailed")}>
        {(tokens) => (
          <ul
            ref={list}
            tabIndex={-1}
            aria-label={t("tokens.title")}
            className="divide-y divide-line rounded-card border border-line bg-surface outline-none"
          >
            {tokens.map((token) => (
              <TokenItem key={token.id} token={token} onRevoke={() => setRevoking(token)} />
            ))}
          </ul>
        )}
      </ListState>
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
      <ConfirmDialog
        open={revoking !== undefined}
        title={t("tokens.revoke")}
        text={t("tokens.revokeText")}
        detail={revoking?.name}
        confirmLabel={t("tokens.revoke")}
        pending={revoke.isPending}
        onCancel={() => setRevoking(undefined)}
        onConfirm={() =>
          revoking &&
          revoke.mutate(revoking.id, {
            onSettled: () => {
              setRevoking(undefined);
              list.current?.focus({ preventScroll: true });
            },
          })
        }
      />
    </ConnectionSection>
  );
}

function TokenItem({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { t } = useTranslation("integrations");
  const format = useFormat();
  const { name, scope, prefix, createdAt, expiresAt, lastUsedAt } = token;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 p-4">
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-2 break-words font-medium">
          <span className="min-w-0 break-words">{name}</span>
          <Badge tone="secondary">{t(`tokens.scopes.${scope}`)}</Badge>
        </p>
        <p className="mt-0.5 break-words text-ink-soft text-xs">
          <code>{prefix}…</code> · {t("tokens.createdOn", { date: format.date(createdAt) })} ·{" "}
          {lastUsedAt ? t("tokens.lastUsed", { date: format.relative(lastUsedAt) }) : t("tokens.neverUsed")}
          {expiresAt && <> · {t("tokens.expires", { date: format.date(expiresAt) })}</>}
        </p>
      </div>
      <Button size="sm" aria-label={t("tokens.revokeNamed", { name })} onClick={onRevoke}>
        {t("tokens.revokeShort")}
      </Button>
    </li>
  );
}
