import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { ROLES, type Role } from "../../../../worker/contract/options";
import { InviteForm } from "../../../components/invite-form";
import { Button } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { NativeSelect } from "../../../components/ui/native-select";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { Separated } from "../../../components/ui/separated";
import { useFormat } from "../../../lib/use-format";
import { useRole, type Workspace } from "../workspaces.queries";
import { MemberList } from "./member-list";
import {
  inviteMember,
  type MemberInvitation,
  membersQuery,
  useReloadMembers,
  useResendInvitation,
  useRevokeInvitation,
} from "./members.queries";

/** The members; for owners also the form that invites people, and the open invitations. */
export function MembersSection({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation("workspace");
  const query = useQuery(membersQuery(workspace.id));
  const { isOwner } = useRole(workspace.id);
  let content: ReactNode = (
    <QueryPlaceholder query={query} failed={t("members.loadFailed")} rowClass="h-16" />
  );
  if (query.data?.members.length === 1) content = <p className="text-ink-soft">{t("members.alone")}</p>;
  else if (query.data) content = <MemberList workspace={workspace} members={query.data.members} />;
  return (
    <div className="flex flex-col gap-6">
      {content}
      {isOwner && <Invitations workspaceId={workspace.id} open={query.data?.invitations ?? []} />}
    </div>
  );
}

type InvitationsProps = { workspaceId: number; open: MemberInvitation[] };

function Invitations({ workspaceId, open }: InvitationsProps) {
  const { t } = useTranslation(["workspace", "common"]);
  const reload = useReloadMembers();
  const [role, setRole] = useState<Role>("member");
  return (
    <div>
      <h3 className="font-semibold">{t("invite.title")}</h3>
      <p className="mt-0.5 mb-4 text-ink-soft">{t("invite.text")}</p>
      <InviteForm invite={(email) => inviteMember(workspaceId, email, role)} onSettled={() => reload()}>
        <Field label={t("invite.role")} className="w-36">
          <NativeSelect
            value={role}
            groups={[
              { label: "", options: ROLES.map((value) => ({ value, label: t(`common:roles.${value}`) })) },
            ]}
            onChange={({ target }) => setRole(target.value as Role)}
          />
        </Field>
      </InviteForm>
      <p className="mt-2 text-ink-soft text-xs">{t(`common:roleTexts.${role}`)}</p>
      {open.length > 0 && (
        <ul
          aria-label={t("invite.open")}
          className="mt-4 divide-y divide-line rounded-card border border-line bg-surface px-4"
        >
          {open.map((invitation) => (
            <OpenInvitation key={invitation.email} workspaceId={workspaceId} invitation={invitation} />
          ))}
        </ul>
      )}
    </div>
  );
}

type OpenInvitationProps = { workspaceId: number; invitation: MemberInvitation };

function OpenInvitation({ workspaceId, invitation }: OpenInvitationProps) {
  const { t } = useTranslation(["workspace", "common"]);
  const format = useFormat();
  const resend = useResendInvitation();
  const revoke = useRevokeInvitation();
  const { id, email, role, expiresAt } = invitation;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-2.5">
      <div className="min-w-40 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">{email}</p>
        <div className="text-ink-soft text-xs">
          <Separated>
            {t(`common:roles.${role}`)}
            {t("invite.expires", { date: format.dateTime(expiresAt) })}
          </Separated>
        </div>
      </div>
      <span className="flex flex-wrap gap-2">
        <Button
          size="sm"
          aria-label={t("invite.resendNamed", { email })}
          loading={resend.isPending}
          onClick={() => resend.mutate({ workspaceId, email, role })}
        >
          {t("invite.resend")}
        </Button>
        <Button
          size="sm"
          aria-label={t("invite.revokeNamed", { email })}
          loading={revoke.isPending}
          onClick={() => revoke.mutate({ workspaceId, id })}
        >
          {t("invite.revoke")}
        </Button>
      </span>
    </li>
  );
}
