import { useNavigate } from "@tanstack/react-router";
import { CalendarClock, ChevronDown, Clock, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ActionMenu } from "../../components/ui/action-menu";

/** The other ways to send: to several recipients and again and again; and what is sent by itself. */
export default function NewMenu() {
  const { t } = useTranslation(["schedules", "envelopes"], { useSuspense: false });
  const navigate = useNavigate();
  const open = (wizard: "several" | "recurring") => () =>
    void navigate({ to: "/", search: (now) => ({ ...now, wizard }) });
  return (
    <span className="flex *:h-9 touch:*:h-10">
      <ActionMenu
        label={t("menu")}
        icon={ChevronDown}
        actions={[
          { label: t("envelopes:wizard.several"), icon: Users, onAction: open("several") },
          { label: t("envelopes:wizard.recurring"), icon: CalendarClock, onAction: open("recurring") },
          { label: t("title"), icon: Clock, onAction: () => void navigate({ to: "/schedules" }) },
        ]}
      />
    </span>
  );
}
