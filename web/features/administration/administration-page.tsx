import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { InviteForm } from "../../components/invite-form";
import { PageHeader } from "../../components/layout/page-header";
import { Button } from "../../components/ui/button";
import { Notice } from "../../components/ui/notice";
import { MoreButton } from "../../components/ui/query-placeholder";
import { useFormat } from "../../lib/use-format";
import { twoFactorQuery } from "../settings/two-factor/two-factor.queries";
import { AccountsSection } from "./accounts/accounts-section";
import {
  instanceQuery,
  invitationsQuery,
  inviteAddress,
  useReload,
  useWithdraw,
} from "./administration.queries";
import { AuditSection } from "./audit-section";
import { FirstStepsSection } from "./first-steps-section";
import { InstanceSection } from "./instance-section";
import { OutboxSection } from "./outbox-section";
import { Section, SectionPlaceholder } from "./section";
import { WorkspacesSection } from "./workspaces-section";

/** For administrators: the state of the instance, accounts, invitations and the audit log. */
export function AdministrationPage() {
  const { t } = useTranslation("administration");
  const instance = useQuery(instanceQuery);
  const factors = useQuery({ ...twoFactorQuery, enabled: false });
  // Otherwise the first sections would push those below out of view when they are loaded.
  const loading = instance.isPending || factors.isLoading;
  return (
    <>
      <PageHeader title={t("title")} text={t("intro")} />
      <Alerts />
      {loading && <SectionPlaceholder query={instance} />}
      <div hidden={loading} className="space-y-10">
        <FirstStepsSection />
        <InstanceSection />
        <OutboxSection />
        <AccountsSection />
        <WorkspacesSection />
        <InvitationsSection />
        <AuditSection />
      </div>
    </>
  );
}

function InvitationsSection() {
  const { t } = useTranslation("administration");
  const query = useInfiniteQuery(invitationsQuery);
  const reload = useReload();
  const signUp = useQuery(instanceQuery).data?.signUp;
  const format = useFormat();
  const withdraw = useWithdraw();
  const { data: rows } = query;
  return (
    <Section title={t("invite.title")} text={signUp === "off" ? t("invite.off") : t("invite.text")}>
      {signUp !== "off" && <InviteForm invite={inviteAddress} onSettled={reload} />}
      {!rows && <SectionPlaceholder query={query} />}
      {rows && rows.length > 0 && (
        <ul
          aria-label={t("invite.open")}
          className="mt-4 divide-y divide-line rounded-card border border-line bg-surface px-4"
        >
          {rows.map(({ id, email, expiresAt }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2.5">
              <span className="min-w-0">
                <span className="block break-words font-medium">{email}</span>
                <span className="block text-ink-soft text-xs">
                  {t("invite.expires", { date: format.dateTime(expiresAt) })}
                </span>
              </span>
              <Button
                size="sm"
                aria-label={t("withdraw.named", { email })}
                loading={withdraw.isPending && withdraw.variables === id}
                onClick={() => withdraw.mutate(id)}
              >
                {t("withdraw.submit")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <MoreButton query={query} label={t("more")} className="mt-3" />
    </Section>
  );
}

/** What is wrong with the instance, if anything is. */
function Alerts() {
  const { t } = useTranslation(["administration", "common"]);
  const format = useFormat();
  const { data } = useQuery(instanceQuery);
  if (!data || data.alerts.length === 0) return null;
  return (
    <Notice icon={TriangleAlert} title={t("alerts.title")}>
      <ul>
        {data.alerts.map(({ cause, since }) => (
          <li key={cause}>
            {t(`alerts.${cause}`)} (
            {t("alerts.since", { when: t("common:onDate", { date: format.hour(since) }) })})
          </li>
        ))}
      </ul>
    </Notice>
  );
}
