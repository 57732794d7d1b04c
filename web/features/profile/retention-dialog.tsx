import { useTranslation } from "react-i18next";
import type { RetentionDays } from "../../../worker/contract/options";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { useFormat } from "../../lib/use-format";
import type { RetentionReach } from "../workspaces/workspaces.queries";

type RetentionDialogProps = {
  workspace: string;
  days: RetentionDays;
  reach: RetentionReach;
  pending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Shows which files a retention period deletes, and asks for confirmation. */
export function RetentionDialog({ workspace, days, reach, ...rest }: RetentionDialogProps) {
  const { t } = useTranslation("profile");
  const format = useFormat();
  const { files, envelopes, firstDeletionAt } = reach;
  useCloseOnBack(true, rest.onCancel);
  return (
    <ConfirmDialog
      open
      title={t("retention.askTitle", { count: days })}
      text={t("retention.ask", {
        count: files,
        envelopes: t("retention.envelopes", { count: envelopes }),
        date: firstDeletionAt ? format.date(firstDeletionAt) : "",
      })}
      detail={t("retention.workspace", { name: workspace })}
      confirmLabel={t("retention.confirm", { count: days })}
      {...rest}
    />
  );
}
