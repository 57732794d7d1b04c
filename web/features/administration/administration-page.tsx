import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { AccountsSection } from "./accounts/accounts-section";
import { Alerts } from "./alerts";
import { AuditSection } from "./audit-section";
import { InstanceSection } from "./instance-section";
import { InvitationsSection } from "./invitations-section";
import { OutboxSection } from "./outbox-section";

/** For administrators: the state of the instance, accounts, invitations and the audit log. */
export function AdministrationPage() {
  const { t } = useTranslation("administration");
  return (
    <>
      <PageHeader title={t("title")} text={t("intro")} />
      <Alerts />
      <div className="space-y-10">
        <InstanceSection />
        <OutboxSection />
        <AccountsSection />
        <InvitationsSection />
        <AuditSection />
      </div>
    </>
  );
}
