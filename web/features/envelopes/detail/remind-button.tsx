import { Bell } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { useRemind } from "../timeline.queries";

/** Sends a reminder. The server allows one per hour. */
export function RemindButton({ id }: { id: number }) {
  const { t } = useTranslation("envelopes");
  const remind = useRemind();
  return (
    <Button className="mt-5 w-full" loading={remind.isPending} onClick={() => remind.mutate(id)}>
      {!remind.isPending && <Bell aria-hidden />}
      {t("remind.now")}
    </Button>
  );
}
