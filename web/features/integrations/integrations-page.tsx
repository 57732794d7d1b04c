import { BriefcaseBusiness, ContactRound, type LucideIcon, Signature } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { CardGrid } from "../../components/ui/card-grid";
import { toast } from "../../components/ui/toast-store";
import { usePageTitle } from "../../lib/use-page-title";
import { TokenSection } from "./tokens/token-section";
import { WebhookSection } from "./webhooks/webhook-section";

type Kind = "crm" | "signature" | "hr";
type Status = "connected" | "disconnected";

/** No integration exists yet, so none is ever connected. */
const INTEGRATIONS: { kind: Kind; icon: LucideIcon; status: Status }[] = [
  { kind: "crm", icon: ContactRound, status: "disconnected" },
  { kind: "signature", icon: Signature, status: "disconnected" },
  { kind: "hr", icon: BriefcaseBusiness, status: "disconnected" },
];

export function IntegrationsPage() {
  const { t } = useTranslation("integrations");
  usePageTitle(t("title"));
  return (
    <>
      <PageHeader title={t("title")} text={t("intro")} />
      <CardGrid label={t("title")}>
        {INTEGRATIONS.map((integration) => (
          <IntegrationCard key={integration.kind} {...integration} />
        ))}
      </CardGrid>
      <TokenSection />
      <WebhookSection />
    </>
  );
}

/** The failure text of connecting and disconnecting. */
export const toggleFailure = (status: Status) =>
  status === "connected"
    ? ({ title: "disconnectFailed", text: "disconnectFailedText" } as const)
    : ({ title: "failed", text: "failedText" } as const);

type IntegrationCardProps = { kind: Kind; icon: LucideIcon; status: Status };

/** A stub, as specified: connecting and disconnecting fail, and the status never changes. */
export function IntegrationCard({ kind, icon: Icon, status }: IntegrationCardProps) {
  const { t } = useTranslation("integrations");
  const heading = useId();
  const name = t(`kinds.${kind}.name`);
  const connected = status === "connected";
  const toggle = () => {
    const { title, text } = toggleFailure(status);
    toast({ title: t(title), text: t(text), destructive: true });
  };
  return (
    <li className="flex min-w-0 flex-col rounded-card border border-line bg-surface p-4 lg:p-5">
      <div className="flex items-start justify-between gap-3">
        <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-control bg-manila-soft text-ink">
          <Icon aria-hidden className="size-5" />
        </span>
        <Badge tone={connected ? "good" : "secondary"}>{t(connected ? "connected" : "status")}</Badge>
      </div>
      <h2 id={heading} className="mt-3 text-base">
        {name}
      </h2>
      <p className="mt-1 mb-4 text-ink-soft">{t(`kinds.${kind}.text`)}</p>
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2">
        <Button size="sm" aria-describedby={heading} onClick={toggle}>
          {t(connected ? "disconnect" : "connect")}
        </Button>
        <span className="text-ink-soft text-xs">{t("comingSoon")}</span>
      </div>
    </li>
  );
}
