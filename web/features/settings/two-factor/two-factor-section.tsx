import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { REMEMBERED_DAYS } from "../../../../worker/contract/options";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { lazyComponent } from "../../../components/ui/lazy-component";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { ProvedOnly } from "../proved-only";
import { SetUpApp } from "./set-up-app";
import { twoFactorQuery, useForgetDevices, useRemoveTotp, useRenewRecoveryCodes } from "./two-factor.queries";

const RecoveryCodesDialog = lazyComponent(() => import("./recovery-codes-dialog"));

/** From how many recovery codes on more should be made. */
const FEW = 3;

/** The authenticator app, its recovery codes and the browsers that need no code. */
export function TwoFactorSection() {
  const { t } = useTranslation("profile");
  const query = useQuery(twoFactorQuery);
  const remove = useRemoveTotp();
  const renew = useRenewRecoveryCodes();
  const forget = useForgetDevices();
  const [removing, setRemoving] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const section = useRef<HTMLDivElement>(null);
  // The pressed button is removed, and the focus would be lost with it.
  const keepFocus = () => section.current?.focus({ preventScroll: true });
  const { data } = query;
  if (!data) return <QueryPlaceholder query={query} failed={t("twoFactor.loadFailed")} rowClass="h-12" />;
  const { totp, recoveryCodesLeft, rememberedDevices } = data;
  return (
    <div ref={section} tabIndex={-1} className="-my-4 divide-y divide-line outline-none">
      <Row
        title={t("twoFactor.app")}
        badge={<Badge tone={totp ? "good" : "secondary"}>{t(totp ? "twoFactor.on" : "twoFactor.off")}</Badge>}
        text={t("twoFactor.appText")}
      >
        <ProvedOnly>
          <SetUpApp label={t(totp ? "twoFactor.replace" : "twoFactor.setUp")} />
        </ProvedOnly>
        {totp && <Button onClick={() => setRemoving(true)}>{t("twoFactor.remove")}</Button>}
      </Row>
      {totp && (
        <Row
          title={t("twoFactor.recovery")}
          badge={
            <Badge tone={recoveryCodesLeft > FEW ? "secondary" : "warn"}>
              {t("twoFactor.left", { count: recoveryCodesLeft })}
            </Badge>
          }
          text={recoveryCodesLeft > FEW ? t("twoFactor.recoveryText") : t("twoFactor.recoveryFew")}
        >
          <Button
            loading={renew.isPending}
            onClick={() => renew.mutate(undefined, { onSuccess: (made) => setCodes(made.recoveryCodes) })}
          >
            {t("twoFactor.renew")}
          </Button>
        </Row>
      )}
      {totp && (
        <Row
          title={t("twoFactor.devices")}
          badge={<Badge tone="secondary">{t("twoFactor.deviceCount", { count: rememberedDevices })}</Badge>}
          text={t("twoFactor.devicesText", { days: REMEMBERED_DAYS })}
        >
          {rememberedDevices > 0 && (
            <Button
              loading={forget.isPending}
              onClick={() => forget.mutate(undefined, { onSuccess: keepFocus })}
            >
              {t("twoFactor.forget")}
            </Button>
          )}
        </Row>
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
      <ConfirmDialog
        open={removing}
        title={t("twoFactor.removeTitle")}
        text={t("twoFactor.removeText")}
        confirmLabel={t("twoFactor.remove")}
        pending={remove.isPending}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSettled: () => setRemoving(false),
            onSuccess: keepFocus,
          })
        }
        onCancel={() => setRemoving(false)}
      />
    </div>
  );
}

type RowProps = { title: string; badge: ReactNode; text: string; children: ReactNode };

function Row({ title, badge, text, children }: RowProps) {
  return (
    <div className="flex flex-col items-start gap-3 py-4">
      <div>
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {title}
          {badge}
        </p>
        <p className="mt-1 text-ink-soft text-xs">{text}</p>
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden">{children}</div>
    </div>
  );
}
