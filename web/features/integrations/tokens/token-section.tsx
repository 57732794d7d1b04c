import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../../worker/contract/limits";
import { TOKEN_SCOPES } from "../../../../worker/contract/options";
import { fieldsOf } from "../../../components/form-fields";
import { selectFieldOf } from "../../../components/select-field";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { FormDialog } from "../../../components/ui/form-dialog";
import { hasField, messageKey, requiredText, showServerIssues } from "../../../lib/form";
import { useShownName } from "../../../lib/shown-name";
import { useFormat } from "../../../lib/use-format";
import { workspacesQuery } from "../../workspaces/workspaces.queries";
import { ConnectionList, ConnectionSection } from "../connection-section";
import { SecretDialog } from "../secret-dialog";
import { WorkspaceField } from "../workspace-field";
import { type ApiToken, tokensQuery, useCreateToken, useRevokeToken } from "./tokens.queries";

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
  const shown = useShownName();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 p-4">
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-2 break-words font-medium">
          <span className="min-w-0 break-words">{name}</span>
          <Badge tone="secondary">{t(`tokens.scopes.${scope}`)}</Badge>
        </p>
        <p className="mt-0.5 break-words text-ink-soft text-xs">
          <code>{prefix}…</code>
          <span>
            {[
              "",
              t("tokens.createdOn", { date: format.date(createdAt) }),
              lastUsedAt ? t("tokens.lastUsed", { when: format.when(lastUsedAt) }) : t("tokens.neverUsed"),
              ...(expiresAt ? [t("tokens.expires", { date: format.date(expiresAt) })] : []),
              ...(workspace ? [t("workspaces.only", { workspace: shown(workspace.name) })] : []),
            ].join(" · ")}
          </span>
        </p>
      </div>
      <Button size="sm" aria-label={t("tokens.revokeNamed", { name })} onClick={onRevoke}>
        {t("tokens.revokeShort")}
      </Button>
    </li>
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;
const LIVES = ["none", "30", "90", "365"] as const;

const schema = v.object({
  name: requiredText(messageKey("nameRequired"), LIMITS.tokenName),
  scope: v.picklist(TOKEN_SCOPES),
  days: v.picklist(LIVES),
  workspaceId: v.nullable(v.number()),
});

type Values = v.InferInput<typeof schema>;

const { TextField } = fieldsOf<Values>();
const SelectField = selectFieldOf<Values>();

function TokenForm({ onClose, onCreated }: { onClose: () => void; onCreated: (token: string) => void }) {
  const { t } = useTranslation(["integrations", "common", "validation"]);
  const create = useCreateToken();
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const form = useForm<Values>({
    resolver: valibotResolver(schema),
    defaultValues: { name: "", scope: "read", days: "none", workspaceId: null },
  });
  const submit = form.handleSubmit(({ days, ...input }) => {
    const expiresAt = days === "none" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    create.mutate(
      { ...input, expiresAt },
      {
        onSuccess: ({ token }) => onCreated(token),
        onError: (error) => showServerIssues(error, form.setError, hasField(schema)),
      },
    );
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      width="sm"
      title={t("tokens.create")}
      description={t("tokens.createText")}
      submitLabel={t("tokens.create")}
      pending={create.isPending}
      onSubmit={submit}
    >
      <TextField
        name="name"
        label={t("tokens.name")}
        hint={t("tokens.nameHint")}
        required
        autoFocus
        maxLength={LIMITS.tokenName}
      />
      <SelectField
        name="scope"
        label={t("tokens.scope")}
        options={TOKEN_SCOPES.map((value) => ({ value, label: t(`tokens.scopes.${value}`) }))}
      />
      <WorkspaceField workspaces={workspaces} />
      <SelectField
        name="days"
        label={t("tokens.life")}
        options={LIVES.map((value) => ({ value, label: t(`tokens.lives.${value}`) }))}
      />
    </FormDialog>
  );
}
