import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { buttonClass } from "../../components/ui/button";
import { UnsavedChangesDialog } from "../../components/ui/unsaved-changes-dialog";
import { usePageTitle } from "../../lib/use-page-title";
import { useUnsavedChanges } from "../../lib/use-unsaved-changes";
import { type User, userQuery } from "../auth/auth.queries";
import { DangerZone } from "./danger-zone";
import { DataExport } from "./data-export";
import { FileNameSettings } from "./file-names/file-name-settings";
import { PasswordForm } from "./password-form";
import { ProfilePicture } from "./picture/profile-picture";
import { Preferences } from "./preferences";
import { ProfileForm } from "./profile-form";
import { LinkedProviders } from "./providers/linked-providers";
import { RetentionSettings } from "./retention-settings";
import { SessionList } from "./sessions/session-list";
import { SettingsSection } from "./settings-section";

type ProfilePageProps = {
  /** The section in the URL's hash. */
  section: string;
  /** Called when saving the profile has completed onboarding. */
  onOnboarded: () => void;
  onDeleted: () => void;
};

export function ProfilePage(props: ProfilePageProps) {
  const { data: user } = useQuery(userQuery);
  return user ? <Settings user={user} {...props} /> : null;
}

function Settings({ user, section, onOnboarded, onDeleted }: ProfilePageProps & { user: User }) {
  const { t } = useTranslation("profile");
  const [profileDirty, setProfileDirty] = useState(false);
  const [passwordDirty, setPasswordDirty] = useState(false);
  const guard = useUnsavedChanges(profileDirty || passwordDirty);
  usePageTitle(t("title"));
  useEffect(() => {
    const target = section && document.getElementById(section);
    if (!target) return;
    target.scrollIntoView();
    target.focus({ preventScroll: true });
  }, [section]);
  const withoutConfirmation = (leave: () => void) => () => {
    guard.release();
    leave();
  };
  return (
    <>
      <PageHeader title={t("title")} text={t("intro")} />
      <SettingsSection id="picture" title={t("picture.title")} text={t("picture.text")}>
        <ProfilePicture user={user} />
      </SettingsSection>
      <SettingsSection id="preferences" title={t("preferences.title")} text={t("preferences.text")}>
        <Preferences />
      </SettingsSection>
      <SettingsSection id="account" title={t("account.title")} text={t("account.text")}>
        <ProfileForm user={user} onDirty={setProfileDirty} onOnboarded={withoutConfirmation(onOnboarded)} />
      </SettingsSection>
      <SettingsSection id="password" title={t("password.title")} text={t("password.text")}>
        <PasswordForm email={user.email} onDirty={setPasswordDirty} />
      </SettingsSection>
      <LinkedProviders />
      <SettingsSection id="sessions" title={t("sessions.title")} text={t("sessions.text")}>
        <SessionList />
      </SettingsSection>
      <SettingsSection id="file-names" title={t("fileNames.title")} text={t("fileNames.text")}>
        <FileNameSettings />
      </SettingsSection>
      <SettingsSection id="retention" title={t("retention.title")} text={t("retention.text")}>
        <RetentionSettings />
      </SettingsSection>
      <SettingsSection id="data" title={t("data.title")} text={t("data.text")}>
        <DataExport />
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
        <DangerZone isAdministrator={user.isAdministrator} onDeleted={withoutConfirmation(onDeleted)} />
      </SettingsSection>
      <UnsavedChangesDialog guard={guard} />
    </>
  );
}
