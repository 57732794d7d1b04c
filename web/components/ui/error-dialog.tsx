import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AlertDialog } from "./alert-dialog";
import { Button } from "./button";

type ErrorDialogProps = { title: string; text: string; onClose: () => void };

/** A failure that must be confirmed, where a toast would disappear too soon. */
export function ErrorDialog({ onClose, ...texts }: ErrorDialogProps) {
  const { t } = useTranslation();
  return (
    <AlertDialog
      {...texts}
      open
      icon={CircleAlert}
      onClose={onClose}
      buttons={<Button onClick={onClose}>{t("close")}</Button>}
    />
  );
}
