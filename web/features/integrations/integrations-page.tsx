import { BriefcaseBusiness, ContactRound, type LucideIcon, Signature } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { CardGrid } from "../../components/ui/card-grid";
import { toast } from "../../components/ui/toast-store";
import { ConnectionSection } from "./connection-section";
import { DestinationSection } from "./destinations/destination-section";
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
  return (
    <>
      <PageHeader title={t("title")} text={t("intro")} />
      <TokenSection />
      <WebhookSection />
      <DestinationSection />
      <ConnectionSection id="later" title={t("later.title")} text={t("later.text")}>
        <CardGrid label={t("title")}>
          {INTEGRATIONS.map((integration) => (
            <IntegrationCard key={integration.kind} {...integration} />
          ))}
        </CardGrid>
      </ConnectionSection>
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
    <li className="flex min-w-0 flex-col rounded-card bg-sunken p-4">
      <div className="flex items-center gap-2.5">
        <Icon aria-hidden className="size-4 shrink-0 text-ink-soft" />
        <h3 id={heading} className="min-w-0 break-words text-base">
          {name}
        </h3>
        <span className="ml-auto shrink-0 text-ink-soft text-xs">
          {connected ? t("connected") : t("status")}
        </span>
      </div>
      <p className="mt-1 mb-4 text-ink-soft">{t(`kinds.${kind}.text`)}</p>
      <div className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button size="sm" aria-describedby={heading} onClick={toggle}>
          {t(connected ? "disconnect" : "connect")}
        </Button>
        <Badge>{t("comingSoon")}</Badge>
      </div>
    </li>
  );
}
