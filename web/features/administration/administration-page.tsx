import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { usePageTitle } from "../../lib/use-page-title";
import { AccountsSection } from "./accounts/accounts-section";
import { AuditSection } from "./audit-section";
import { InstanceSection } from "./instance-section";
import { InvitationsSection } from "./invitations-section";

/** For administrators: the state of the instance, accounts, invitations and the audit log. */
export function AdministrationPage() {
  const { t } = useTranslation("administration");
  usePageTitle(t("title"));
  return (
    <>
      <Link
        to="/profile"
        className="mb-3 inline-flex items-center gap-1.5 text-accent underline-offset-4 hover:underline"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t("back")}
      </Link>
      <PageHeader title={t("title")} text={t("intro")} />
      <div className="space-y-10">
        <InstanceSection />
        <AccountsSection />
        <InvitationsSection />
        <AuditSection />
      </div>
    </>
  );
}
