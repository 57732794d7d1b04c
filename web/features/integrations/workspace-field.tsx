import { useTranslation } from "react-i18next";
import { selectFieldOf } from "../../components/select-field";
import type { Workspace } from "../workspaces/workspaces.queries";

const SelectField = selectFieldOf<{ workspaceId: number | null }>();

/** The workspace that a token or a webhook is limited to; there is no choice between fewer than two. */
export function WorkspaceField({ workspaces }: { workspaces: readonly Workspace[] }) {
  const { t } = useTranslation("integrations");
  if (workspaces.length < 2) return null;
  return (
    <SelectField
      name="workspaceId"
      label={t("workspaces.label")}
      options={[
        { value: null, label: t("workspaces.all") },
        ...workspaces.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
