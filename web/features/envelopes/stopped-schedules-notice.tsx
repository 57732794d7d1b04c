import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CalendarX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../components/ui/button";
import { Notice } from "../../components/ui/notice";
import { api, byId } from "../../lib/api";
import { focusContent } from "../../lib/focus";
import { useRefresh } from "../../lib/mutation-meta";
import { useRole, useSelectedWorkspace, workspacesQuery } from "../workspaces/workspaces.queries";

/** Says, after an import, that nothing is sent by itself here until somebody wants it. */
export default function StoppedNotice() {
  const { t } = useTranslation("schedules");
  const workspace = useSelectedWorkspace();
  const { mayEdit } = useRole();
  const refresh = useRefresh(workspacesQuery);
  const dismiss = useMutation({
    mutationFn: (id: number) => api.workspaces[":id"]["stopped-schedules"].$delete(byId(id)),
    onSuccess: () => refresh().then(focusContent),
    meta: { failure: { title: "schedules:stopped.failed" } },
  });
  if (!workspace) return null;
  return (
    <Notice
      icon={CalendarX}
      title={t("stopped.title")}
      action={
        <div className="flex flex-wrap gap-2">
          <Link to="/schedules" className={buttonClass()}>
            {t("stopped.open")}
          </Link>
          {mayEdit && (
            <Button loading={dismiss.isPending} onClick={() => dismiss.mutate(workspace.id)}>
              {t("stopped.dismiss")}
            </Button>
          )}
        </div>
      }
    >
      <p className="text-ink-soft">{t("stopped.text")}</p>
    </Notice>
  );
}
