import { useTranslation } from "react-i18next";
import { Field } from "../../components/ui/field";
import { Select } from "../../components/ui/select";
import type { Workspace } from "../workspaces/workspaces.queries";

type WorkspaceFieldProps = {
  /** Those that can be chosen; with fewer than two there is no choice. */
  workspaces: readonly Workspace[];
  /** Null for all of them. */
  value: number | null;
  onChange: (value: number | null) => void;
  error: string | undefined;
};

/** The workspace that a token or a webhook is limited to. */
export function WorkspaceField({ workspaces, value, onChange, error }: WorkspaceFieldProps) {
  const { t } = useTranslation("integrations");
  if (workspaces.length < 2) return null;
  return (
    <Field label={t("workspaces.label")} error={error}>
      <Select
        value={value}
        onChange={onChange}
        options={[
          { value: null, label: t("workspaces.all") },
          ...workspaces.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </Field>
  );
}
