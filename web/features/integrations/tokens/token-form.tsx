import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery } from "@tanstack/react-query";
import { Controller, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../../worker/contract/limits";
import { TOKEN_SCOPES } from "../../../../worker/contract/options";
import { Field } from "../../../components/ui/field";
import { FormDialog } from "../../../components/ui/form-dialog";
import { Input } from "../../../components/ui/input";
import { Select } from "../../../components/ui/select";
import { messageKey, requiredText, showServerIssues, useFieldError } from "../../../lib/form";
import { workspacesQuery } from "../../workspaces/workspaces.queries";
import { WorkspaceField } from "../workspace-field";
import { useCreateToken } from "./tokens.queries";

const DAY_MS = 24 * 60 * 60 * 1000;
const LIVES = ["none", "30", "90", "365"] as const;

const schema = v.object({
  name: requiredText(messageKey("nameRequired"), LIMITS.tokenName),
  scope: v.picklist(TOKEN_SCOPES),
  days: v.picklist(LIVES),
  workspaceId: v.nullable(v.number()),
});

type Values = v.InferInput<typeof schema>;

const isField = (path: string): path is "name" => path === "name";

type TokenFormProps = { onClose: () => void; onCreated: (token: string) => void };

export function TokenForm({ onClose, onCreated }: TokenFormProps) {
  const { t } = useTranslation(["integrations", "common", "validation"]);
  const fieldError = useFieldError();
  const create = useCreateToken();
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const form = useForm<Values>({
    resolver: valibotResolver(schema),
    defaultValues: { name: "", scope: "read", days: "none", workspaceId: null },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit(({ days, ...input }) => {
    const expiresAt = days === "none" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    create.mutate(
      { ...input, expiresAt },
      {
        onSuccess: ({ token }) => onCreated(token),
        onError: (error) => showServerIssues(error, form.setError, isField),
      },
    );
  });
  return (
    <FormDialog
      onClose={onClose}
      width="sm"
      title={t("tokens.create")}
      description={t("tokens.createText")}
      submitLabel={t("tokens.create")}
      pending={create.isPending}
      onSubmit={submit}
    >
      <Field label={t("tokens.name")} hint={t("tokens.nameHint")} required error={fieldError(errors.name)}>
        <Input autoFocus maxLength={LIMITS.tokenName} {...form.register("name")} />
      </Field>
      <Field label={t("tokens.scope")}>
        <Controller
          control={form.control}
          name="scope"
          render={({ field }) => (
            <Select
              value={field.value}
              onChange={field.onChange}
              options={TOKEN_SCOPES.map((value) => ({ value, label: t(`tokens.scopes.${value}`) }))}
            />
          )}
        />
      </Field>
      <Controller
        control={form.control}
        name="workspaceId"
        render={({ field: { value, onChange } }) => (
          <WorkspaceField
            workspaces={workspaces}
            value={value}
            onChange={onChange}
            error={fieldError(errors.workspaceId)}
          />
        )}
      />
      <Field label={t("tokens.life")}>
        <Controller
          control={form.control}
          name="days"
          render={({ field }) => (
            <Select
              value={field.value}
              onChange={field.onChange}
              options={LIVES.map((value) => ({ value, label: t(`tokens.lives.${value}`) }))}
            />
          )}
        />
      </Field>
    </FormDialog>
  );
}
