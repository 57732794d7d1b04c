import { BriefcaseBusiness, ContactRound, type LucideIcon, Signature } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { CardGrid } from "../../components/ui/card-grid";
import { toast } from "../../components/ui/toast-store";
import { usePageTitle } from "../../lib/use-page-title";

const KINDS = [
  { kind: "crm", icon: ContactRound },
  { kind: "signature", icon: Signature },
  { kind: "hr", icon: BriefcaseBusiness },
] as const;

type Kind = (typeof KINDS)[number]["kind"];

export function IntegrationsPage() {
  const { t } = useTranslation("integrations");
  usePageTitle(t("title"));
  return (
    <>
      <PageHeader title={t("title")} text={t("intro")} />
      <CardGrid label={t("title")}>
        {KINDS.map(({ kind, icon }) => (
          <IntegrationCard key={kind} kind={kind} icon={icon} />
        ))}
      </CardGrid>
    </>
  );
}

/** There is nothing behind it yet: the status never changes, and connecting always fails. */
function IntegrationCard({ kind, icon: Icon }: { kind: Kind; icon: LucideIcon }) {
  const { t } = useTranslation("integrations");
  const heading = useId();
  const name = t(`kinds.${kind}.name`);
  const connect = () => toast({ title: t("failed"), text: t("failedText"), destructive: true });
  return (
    <li className="flex min-w-0 flex-col rounded-card border border-line bg-surface p-4 lg:p-5">
      <div className="flex items-start justify-between gap-3">
        <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-control bg-manila-soft text-ink">
          <Icon aria-hidden className="size-5" />
        </span>
        <Badge tone="secondary">{t("status")}</Badge>
      </div>
      <h2 id={heading} className="mt-3 text-base">
        {name}
      </h2>
      <p className="mt-1 mb-4 text-ink-soft">{t(`kinds.${kind}.text`)}</p>
      <Button size="sm" className="mt-auto self-start" aria-describedby={heading} onClick={connect}>
        {t("connect")}
      </Button>
    </li>
  );
}
