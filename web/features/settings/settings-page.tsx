import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, ShieldCheck, SlidersHorizontal } from "lucide-react";
import { useDeferredValue, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SIGN_IN_DAYS } from "../../../worker/contract/options";
import { PageHeader } from "../../components/layout/page-header";
import { SectionLinks } from "../../components/layout/section-links";
import { SettingsGroup, SettingsSection, useSection } from "../../components/layout/settings-section";
import { Avatar } from "../../components/ui/avatar";
import { Button, buttonClass } from "../../components/ui/button";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { lazyComponent } from "../../components/ui/lazy-component";
import { UnsavedChangesDialog, useUnsavedChanges } from "../../components/ui/unsaved-changes";
import { ApiError, api } from "../../lib/api";
import { type User, userQuery } from "../auth/auth.queries";
import { membersQuery } from "../workspaces/members/members.queries";
import { useNamedApart, type Workspace, workspacesQuery } from "../workspaces/workspaces.queries";
import { LinkedProviders } from "./linked-providers";
import { PasskeyList } from "./passkeys/passkey-list";
import { PasswordForm } from "./password-form";
import { Preferences } from "./preferences";
import { ProfileForm } from "./profile-form";
import { SessionList, SignInList } from "./session-list";
import { useDeleteAccount } from "./settings.queries";
import { TwoFactorSection } from "./two-factor/two-factor-section";

type SettingsPageProps = {
  section: string;
  /** Called when saving the profile has completed onboarding. */
  onOnboarded: () => void;
  onDeleted: () => void;
};

const LINKED = ["preferences", "account", "security", "data", "danger"] as const;

export function SettingsPage(props: SettingsPageProps) {
  const { data: user } = useQuery(userQuery);
  return user ? <Settings user={user} {...props} /> : null;
}

function Settings({ user, section, onOnboarded, onDeleted }: SettingsPageProps & { user: User }) {
  const { t } = useTranslation(["profile", "security"]);
  const [profileDirty, setProfileDirty] = useState(false);
  const [passwordDirty, setPasswordDirty] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const guard = useUnsavedChanges(profileDirty || passwordDirty);
  // What no screen shows at first is rendered after the rest is painted.
  const whole = useDeferredValue(true, false);
  useSection(whole ? section : "");
  const withoutConfirmation = (leave: () => void) => () => {
    guard.release();
    leave();
  };
  return (
    <>
      <PageHeader title={t("title")} text={t("intro")} />
      {/* In words that no heading has. */}
      <SectionLinks
        to="/profile"
        label={t("sections.label")}
        links={LINKED.map((id) => ({ id, label: t(`sections.${id}`) }))}
      />
      <SettingsSection id="picture" title={t("picture.title")} text={t("picture.text")}>
        <ProfilePicture user={user} />
      </SettingsSection>
      <SettingsSection id="preferences" title={t("preferences.title")} text={t("preferences.text")}>
        <Preferences />
      </SettingsSection>
      <SettingsSection id="account" title={t("account.title")} text={t("account.text")}>
        <ProfileForm user={user} onDirty={setProfileDirty} onOnboarded={withoutConfirmation(onOnboarded)} />
      </SettingsSection>
      {whole && (
        <>
          <SettingsGroup id="security" title={t("security.title")} text={t("security.text")}>
            <SettingsSection id="password" title={t("password.title")} text={t("password.text")}>
              <PasswordForm email={user.email} onDirty={setPasswordDirty} />
            </SettingsSection>
            <SettingsSection
              id="passkeys"
              title={t("security:passkeys.title")}
              text={t("security:passkeys.text")}
            >
              <PasskeyList />
            </SettingsSection>
            <SettingsSection id="two-factor" title={t("twoFactor.title")} text={t("twoFactor.text")}>
              <TwoFactorSection />
            </SettingsSection>
            <LinkedProviders />
            <SettingsSection id="sessions" title={t("sessions.title")} text={t("sessions.text")}>
              <SessionList />
            </SettingsSection>
            <SettingsSection
              id="sign-ins"
              title={t("signIns.title")}
              text={t("signIns.text", { days: SIGN_IN_DAYS })}
            >
              <SignInList />
            </SettingsSection>
          </SettingsGroup>
          <SettingsSection id="workspace" title={t("workspace.title")} text={t("workspace.text")}>
            <Link to="/workspace" className={buttonClass()}>
              <SlidersHorizontal aria-hidden />
              {t("workspace.open")}
            </Link>
          </SettingsSection>
          <SettingsSection id="data" title={t("data.title")} text={t("data.text")}>
            <div className="flex flex-col items-start gap-3">
              <p className="text-ink-soft">{t("data.what")}</p>
              {/* A plain link: the browser streams the download to disk and shows its progress. */}
              <a href={api.user.export.$url().pathname} download className={buttonClass()}>
                <Download aria-hidden />
                {t("data.download")}
              </a>
            </div>
          </SettingsSection>
          {user.isAdministrator && (
            <SettingsSection
              id="administration"
              title={t("administration.title")}
              text={t("administration.text")}
            >
              <Link to="/administration" className={buttonClass()}>
                <ShieldCheck aria-hidden />
                {t("administration.open")}
              </Link>
            </SettingsSection>
          )}
          <SettingsSection id="danger" title={t("danger.title")} text={t("danger.text")}>
            <Button variant="danger" onClick={() => setDeleting(true)}>
              {t("danger.submit")}
            </Button>
          </SettingsSection>
        </>
      )}
      {deleting && (
        <DeleteAccountDialog
          user={user}
          onDeleted={withoutConfirmation(onDeleted)}
          onClose={() => setDeleting(false)}
        />
      )}
      <UnsavedChangesDialog guard={guard} />
    </>
  );
}

const CropDialog = lazyComponent(() => import("./picture/crop-dialog"));

/** The picture and its replacement: choose a file, crop it, upload it. */
function ProfilePicture({ user }: { user: User }) {
  const { t } = useTranslation("profile");
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  return (
    <div className="flex flex-wrap items-center gap-5">
      <Avatar name={user.firstName || user.email} url={user.avatarUrl} className="size-20 text-2xl" />
      <div className="min-w-0">
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          onChange={({ target }) => {
            setFile(target.files?.[0] ?? null);
            // Lets the same file be chosen again.
            target.value = "";
          }}
        />
        <Button onClick={() => input.current?.click()}>{t("picture.change")}</Button>
        <p className="mt-2 text-ink-soft text-xs">{t("picture.hint")}</p>
      </div>
      {file && <CropDialog file={file} onClose={() => setFile(null)} />}
    </div>
  );
}

type DeleteAccountDialogProps = { user: User; onDeleted: () => void; onClose: () => void };

/** Asks before the account is deleted, and says what happens to its workspaces. */
function DeleteAccountDialog({ user, onDeleted, onClose }: DeleteAccountDialogProps) {
  const { t } = useTranslation("profile");
  const remove = useDeleteAccount();
  const workspaces = useNamedApart(useFates(user.id, remove.error));
  const shared = workspaces.some(({ memberCount }) => memberCount > 1);
  return (
    <ConfirmDialog
      open
      title={t("danger.confirmTitle")}
      text={t("danger.confirmText")}
      detail={user.isAdministrator ? t("danger.administrator") : undefined}
      confirmLabel={t("danger.submit")}
      pending={remove.isPending}
      disabled={workspaces.some(({ fate }) => fate === undefined || fate === "blocked")}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: onDeleted,
          onError: (error) => {
            if (ownedAlone(error).length === 0) onClose();
          },
        })
      }
      onCancel={onClose}
    >
      {shared && (
        <ul aria-label={t("danger.workspaces")} className="space-y-2">
          {workspaces.map(({ id, name, fate }) => (
            <li key={id} className="break-words">
              <span className="font-medium">{name}</span>
              {fate && <span className="block text-ink-soft">{t(`danger.fates.${fate}`)}</span>}
              {fate === "blocked" && (
                <Link
                  to="/workspace"
                  search={{ id }}
                  hash="members"
                  className="text-accent underline-offset-4 hover:underline"
                >
                  {t("danger.members", { name })}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}

/** The workspaces because of which the account was not deleted. */
const ownedAlone = (error: unknown) =>
  error instanceof ApiError && error.code === "last_owner" ? error.workspaces : [];

type Fate = "deleted" | "stays" | "blocked";

/** What happens to each workspace; undefined while that is loading. */
function useFates(userId: number, error: unknown): (Workspace & { fate: Fate | undefined })[] {
  const { data: workspaces = [] } = useQuery({ ...workspacesQuery, staleTime: 0 });
  const isUncertain = ({ role, memberCount }: Workspace) => role === "owner" && memberCount > 1;
  const uncertain = workspaces.filter(isUncertain);
  const members = useQueries({ queries: uncertain.map(({ id }) => membersQuery(id)) });
  const blocked = new Set(ownedAlone(error).map(({ id }) => id));
  const fateOf = (workspace: Workspace): Fate | undefined => {
    if (blocked.has(workspace.id)) return "blocked";
    if (workspace.memberCount === 1) return "deleted";
    if (!isUncertain(workspace)) return "stays";
    const query = members[uncertain.indexOf(workspace)];
    // The server decides, if they cannot be loaded.
    if (!query?.data) return query?.isError ? "stays" : undefined;
    const others = query.data.members.filter((member) => member.userId !== userId);
    return others.some(({ role }) => role === "owner") ? "stays" : "blocked";
  };
  return workspaces.map((workspace) => ({ ...workspace, fate: fateOf(workspace) }));
}
