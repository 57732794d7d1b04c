import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../../components/ui/toast-store";

/** Tells a viewer why a link to the wizard opens nothing. */
export default function ViewerRefusal({ onTold }: { onTold: () => void }) {
  const { t } = useTranslation("errors");
  const tell = useEffectEvent(() => {
    toast({ title: t("viewer_role"), destructive: true });
    onTold();
  });
  useEffect(() => tell(), []);
  return null;
}
