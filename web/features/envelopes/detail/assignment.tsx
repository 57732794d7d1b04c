import { useQuery } from "@tanstack/react-query";
import { Eye, EyeOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { userQuery } from "../../auth/auth.queries";
import { AssigneePicture, assigneeName, useTeam } from "../assignee";
import { AssigneeSelect } from "../assignee-select";
import { type Envelope, useAssign, useWatchEnvelope } from "../envelopes.queries";
import { Section } from "./section";

/** Whom the envelope is assigned to, changed in place, and whether the caller watches it. Only in a shared workspace. */
export function Assignment({ envelope }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  const team = useTeam(envelope.workspaceId);
  const { data: user } = useQuery(userQuery);
  const assign = useAssign(envelope);
  const watch = useWatchEnvelope(envelope.id);
  if (!team) return null;
  const { assignee, watching } = envelope;
  // The assignee gets the notices anyway.
  const canWatch = assignee.userId !== user?.id || watching;
  return (
    <Section
      title={t("assignee.label")}
      className="sm:col-span-2"
      aside={
        canWatch && (
          <Button
            size="sm"
            title={t("watch.hint")}
            loading={watch.isPending}
            onClick={() => watch.mutate(!watching)}
          >
            {!watch.isPending && (watching ? <EyeOff aria-hidden /> : <Eye aria-hidden />)}
            {watching ? t("watch.stop") : t("watch.start")}
          </Button>
        )
      }
    >
      <div className="flex items-center gap-2.5">
        <AssigneePicture assignee={assignee} members={team.members} />
        {team.mayEdit && team.members.length > 0 ? (
          <div className="min-w-0 flex-1 sm:max-w-sm">
            <AssigneeSelect
              label={t("assignee.label")}
              members={team.members}
              value={assign.isPending ? assign.variables : (assignee.userId ?? 0)}
              disabled={assign.isPending}
              onChange={(userId) => userId !== assignee.userId && assign.mutate(userId)}
            />
          </div>
        ) : (
          <p className="min-w-0 break-words">{assigneeName(assignee)}</p>
        )}
      </div>
    </Section>
  );
}
