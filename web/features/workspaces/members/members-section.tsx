import { useQuery, useQueryClient } from "@tanstack/react-query";
import { UserMinus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { LinksToReplace } from "../../../../worker/contract/members";
import { ROLES, type Role } from "../../../../worker/contract/options";
import { InviteForm } from "../../../components/invite-form";
import { Avatar } from "../../../components/ui/avatar";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { Field } from "../../../components/ui/field";
import { IconButton } from "../../../components/ui/icon-button";
import { NativeSelect } from "../../../components/ui/input";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { Select } from "../../../components/ui/select";
import { Separated } from "../../../components/ui/separated";
import { focusContent, useFocusAfterRemoval } from "../../../lib/focus";
import { useFormat } from "../../../lib/use-format";
import { userQuery } from "../../auth/auth.queries";
import { useRole, type Workspace } from "../workspaces.queries";
import {
  inviteMember,
  loadsQuery,
  type Member,
  type MemberInvitation,
  memberLinksQuery,
  memberName,
  membersQuery,
  useChangeInvitation,
  useChangeRole,
  useReloadMembers,
  useRemoveMember,
  useResendInvitation,
  useRevokeInvitation,
} from "./members.queries";

type MembersSectionProps = { workspace: Workspace; onDirty: (dirty: boolean) => void };

/** The members; for owners also the form that invites people, and the open invitations. */
export function MembersSection({ workspace, onDirty }: MembersSectionProps) {
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
      {isOwner && (
        <Invitations workspaceId={workspace.id} open={query.data?.invitations ?? []} onDirty={onDirty} />
      )}
    </div>
  );
}

type InvitationsProps = {
  workspaceId: number;
  open: MemberInvitation[];
  onDirty: (dirty: boolean) => void;
};

function Invitations({ workspaceId, open, onDirty }: InvitationsProps) {
  const { t } = useTranslation(["workspace", "common"]);
  const reload = useReloadMembers();
  const [role, setRole] = useState<Role>("member");
  useFocusAfterRemoval(open.length);
  return (
    <div>
      <h3 className="font-semibold">{t("invite.title")}</h3>
      <p className="mt-0.5 mb-4 text-ink-soft">{t("invite.text")}</p>
      <InviteForm
        invite={(email) => inviteMember(workspaceId, email, role)}
        onSettled={() => reload()}
        onDirty={onDirty}
      >
        <Field label={t("invite.role")} className="w-36">
          <NativeSelect
            value={role}
            options={ROLES.map((value) => ({ value, label: t(`common:roles.${value}`) }))}
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

function OpenInvitation({ workspaceId, invitation }: { workspaceId: number; invitation: MemberInvitation }) {
  const { t } = useTranslation(["workspace", "common"]);
  const format = useFormat();
  const resend = useResendInvitation();
  const revoke = useRevokeInvitation();
  const change = useChangeInvitation();
  const { id, email, role, expiresAt } = invitation;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-2.5">
      <div className="min-w-40 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">{email}</p>
        <p className="text-ink-soft text-xs">{t("invite.expires", { date: format.dateTime(expiresAt) })}</p>
      </div>
      <span className="flex flex-wrap items-center gap-2">
        <RoleSelect
          label={t("invite.roleNamed", { email })}
          value={change.isPending ? change.variables.role : role}
          disabled={change.isPending}
          onChange={(chosen) => change.mutate({ workspaceId, id, role: chosen })}
        />
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

/** Who belongs to the workspace. Owners change roles and remove people. */
function MemberList({ workspace, members }: { workspace: Workspace; members: Member[] }) {
  const { t } = useTranslation("workspace");
  const [removing, setRemoving] = useState<Member>();
  return (
    <>
      <ul
        aria-label={t("members.title")}
        className="divide-y divide-line rounded-card border border-line bg-surface px-4"
      >
        {members.map((member) => (
          <MemberRow
            key={member.userId}
            workspace={workspace}
            member={member}
            onRemove={() => setRemoving(member)}
          />
        ))}
      </ul>
      {removing && (
        <RemoveDialog
          workspaceId={workspace.id}
          member={removing}
          others={members.filter(({ userId, role }) => userId !== removing.userId && role !== "viewer")}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

type MemberRowProps = { workspace: Workspace; member: Member; onRemove: () => void };

function MemberRow({ workspace, member, onRemove }: MemberRowProps) {
  const { t } = useTranslation(["workspace", "common"]);
  const format = useFormat();
  const { data: user } = useQuery(userQuery);
  const name = memberName(member);
  const isSelf = member.userId === user?.id;
  const { isOwner } = useRole(workspace.id);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <Avatar name={name} url={member.avatarUrl} />
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
          {isSelf && <Badge tone="secondary">{t("members.you")}</Badge>}
        </p>
        <div className="text-ink-soft text-xs [overflow-wrap:anywhere]">
          <Separated>
            {name !== member.email && member.email}
            <span title={format.exactly(member.joinedAt)}>
              {t("members.since", { date: format.date(member.joinedAt) })}
            </span>
          </Separated>
        </div>
      </div>
      <div className="ml-auto flex items-center gap-1">
        {isOwner ? (
          <RoleChoice workspaceId={workspace.id} member={member} isSelf={isSelf} />
        ) : (
          <Badge tone="secondary">{t(`common:roles.${member.role}`)}</Badge>
        )}
        {isOwner && !isSelf && (
          <IconButton
            icon={UserMinus}
            tone="danger"
            label={t("remove.named", { name })}
            tip={t("remove.submit")}
            onClick={onRemove}
          />
        )}
      </div>
    </li>
  );
}

type RoleSelectProps = { label: string; value: Role; disabled: boolean; onChange: (role: Role) => void };

/** Changes a role at once. In the browser's own list, an arrow key would already choose the next one. */
function RoleSelect({ value, onChange, ...rest }: RoleSelectProps) {
  const { t } = useTranslation("common");
  return (
    <span className="block w-36">
      <Select
        {...rest}
        value={value}
        options={ROLES.map((role) => ({ value: role, label: t(`roles.${role}`) }))}
        onChange={(role) => role !== value && onChange(role)}
      />
    </span>
  );
}

type RoleChoiceProps = { workspaceId: number; member: Member; isSelf: boolean };

/** Changes a role in place. Giving up one's own role as owner, and what ends access to links, is confirmed. */
function RoleChoice({ workspaceId, member, isSelf }: RoleChoiceProps) {
  const { t } = useTranslation(["workspace", "common"]);
  const change = useChangeRole();
  const client = useQueryClient();
  const [asking, setAsking] = useState<Role>();
  const [replaceLinks, setReplaceLinks] = useState<LinksToReplace>();
  const { userId } = member;
  const name = memberName(member);
  const stop = () => setAsking(undefined);
  const isGivingUp = isSelf && member.role === "owner";
  const choose = async (role: Role) => {
    const losesLinks = role === "viewer" && !isSelf;
    const links =
      losesLinks && (await client.fetchQuery(memberLinksQuery({ workspaceId, userId })).catch(() => null));
    if (isGivingUp || (links && links.all > 0)) setAsking(role);
    else change.mutate({ workspaceId, userId, role });
  };
  const shown = asking ?? (change.isPending ? change.variables.role : member.role);
  const texts = isGivingUp ? "demote" : "makeViewer";
  return (
    <>
      <RoleSelect
        label={t("members.role", { name })}
        value={shown}
        disabled={change.isPending}
        onChange={(role) => void choose(role)}
      />
      <ConfirmDialog
        open={asking !== undefined}
        title={t(`${texts}.title`, { name })}
        text={t(`${texts}.text`)}
        confirmLabel={t(`${texts}.submit`)}
        pending={change.isPending}
        onConfirm={() =>
          asking && change.mutate({ workspaceId, userId, role: asking, replaceLinks }, { onSettled: stop })
        }
        onCancel={stop}
      >
        {!isSelf && (
          <LinksChoice
            workspaceId={workspaceId}
            member={member}
            value={replaceLinks}
            onChange={setReplaceLinks}
          />
        )}
      </ConfirmDialog>
    </>
  );
}

type LinksChoiceProps = {
  workspaceId: number;
  member: Member;
  value: LinksToReplace | undefined;
  onChange: (value: LinksToReplace | undefined) => void;
};

/** Offers new links for the open envelopes whose links the member may know. */
function LinksChoice({ workspaceId, member, value, onChange }: LinksChoiceProps) {
  const { t } = useTranslation("workspace");
  const { data } = useQuery(memberLinksQuery({ workspaceId, userId: member.userId }));
  if (!data || data.all === 0) return null;
  const name = memberName(member);
  const { own, all } = data;
  const options = [
    { value: "", label: t("links.keep") },
    ...(own > 0 ? [{ value: "own", label: t("links.own", { count: own, name }) }] : []),
    ...(own < all ? [{ value: "all", label: t("links.all", { count: all }) }] : []),
  ];
  return (
    <Field label={t("links.label")} hint={t("links.hint", { name })}>
      <NativeSelect
        value={value ?? ""}
        options={options}
        onChange={({ target }) => onChange((target.value || undefined) as LinksToReplace | undefined)}
      />
    </Field>
  );
}

type RemoveDialogProps = { workspaceId: number; member: Member; others: Member[]; onClose: () => void };

/** Asks before somebody is removed, and who gets the envelopes that are assigned to them. */
function RemoveDialog({ workspaceId, member, others, onClose }: RemoveDialogProps) {
  const { t } = useTranslation("workspace");
  const { data: user } = useQuery(userQuery);
  const { data: loads } = useQuery(loadsQuery(workspaceId));
  const remove = useRemoveMember();
  const [assignTo, setAssignTo] = useState(user?.id);
  const [replaceLinks, setReplaceLinks] = useState<LinksToReplace>();
  const options = others.map((other) => ({
    value: String(other.userId),
    label: other.userId === user?.id ? t("remove.me", { name: memberName(other) }) : memberName(other),
  }));
  const hasEnvelopes = member.role !== "viewer";
  const confirm = () =>
    remove.mutate(
      {
        ...{ workspaceId, userId: member.userId, replaceLinks },
        ...(hasEnvelopes && assignTo !== undefined && { assignTo }),
      },
      { onSuccess: focusContent, onSettled: onClose },
    );
  return (
    <ConfirmDialog
      open
      title={t("remove.title", { name: memberName(member) })}
      text={t("remove.text")}
      confirmLabel={t("remove.submit")}
      pending={remove.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <div className="flex flex-col gap-4">
        {hasEnvelopes && (
          <Field
            label={t("remove.assignTo")}
            hint={loads && t("remove.open", { count: loads.get(member.userId) ?? 0 })}
          >
            <NativeSelect
              value={assignTo}
              options={options}
              onChange={({ target }) => setAssignTo(Number(target.value))}
            />
          </Field>
        )}
        <LinksChoice
          workspaceId={workspaceId}
          member={member}
          value={replaceLinks}
          onChange={setReplaceLinks}
        />
      </div>
    </ConfirmDialog>
  );
}
