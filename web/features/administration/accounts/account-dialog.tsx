import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { Dialog } from "../../../components/ui/dialog";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import { useFormat } from "../../../lib/use-format";
import { userQuery } from "../../auth/auth.queries";
import {
  type Account,
  useDisable,
  useEnable,
  useRemoveAccount,
  useResetPassword,
} from "../administration.queries";
import { QuotaForm } from "./quota-form";

type AccountDialogProps = { account: Account; onClose: () => void };

/** How an account is used, and what an administrator can do about it. */
export function AccountDialog({ account, onClose }: AccountDialogProps) {
  const { t } = useTranslation(["administration", "common"]);
  const { data: user } = useQuery(userQuery);
  useCloseOnBack(true, onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      title={account.email}
      subtitle={[account.firstName, account.lastName].filter(Boolean).join(" ")}
      aside={account.disabledAt && <Badge tone="bad">{t("accounts.disabled")}</Badge>}
      footer={<Button onClick={onClose}>{t("common:close")}</Button>}
      hideCloseButton
    >
      <Usage account={account} />
      <QuotaForm key={account.storageQuota} account={account} />
      {account.id === user?.id ? (
        <p className="mt-6 text-ink-soft">{t("own")}</p>
      ) : (
        <Actions account={account} onDeleted={onClose} />
      )}
    </Dialog>
  );
}

function Usage({ account }: { account: Account }) {
  const { t } = useTranslation("administration");
  const format = useFormat();
  const { createdAt, lastSeenAt, envelopes, storageBytes, reservedBytes, storageLimit } = account;
  const { isVerified, disabledAt } = account;
  const used = format.size(storageBytes);
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      <Fact name={t("accounts.created")}>{format.dateTime(createdAt)}</Fact>
      <Fact name={t("accounts.lastSeen")}>
        {lastSeenAt ? format.relative(lastSeenAt) : t("accounts.never")}
      </Fact>
      <Fact name={t("accounts.envelopes")}>{format.number(envelopes)}</Fact>
      <Fact name={t("accounts.storage")}>
        {storageLimit === null ? used : t("accounts.storageOf", { used, limit: format.size(storageLimit) })}
        {reservedBytes > 0 && (
          <p className="text-ink-soft text-xs">
            {t("accounts.storageReserved", { size: format.size(reservedBytes) })}
          </p>
        )}
      </Fact>
      <Fact name={t("accounts.address")}>
        {isVerified ? t("accounts.verified") : t("accounts.unverified")}
      </Fact>
      {disabledAt && <Fact name={t("accounts.disabledSince")}>{format.dateTime(disabledAt)}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-soft text-xs">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}

type Question = "disable" | "delete" | "resetPassword";

function Actions({ account, onDeleted }: { account: Account; onDeleted: () => void }) {
  const { t } = useTranslation("administration");
  const format = useFormat();
  const [question, setQuestion] = useState<Question>();
  const disable = useDisable();
  const enable = useEnable();
  const reset = useResetPassword();
  const remove = useRemoveAccount();
  const stop = () => setQuestion(undefined);
  const { id, email, disabledAt, envelopes, storageBytes } = account;
  const confirm = {
    disable: () => disable.mutate(id, { onSettled: stop }),
    resetPassword: () => reset.mutate(id, { onSettled: stop }),
    delete: () => remove.mutate(id, { onSuccess: onDeleted, onError: stop }),
  };
  const use = { envelopes: format.number(envelopes), size: format.size(storageBytes) };
  return (
    <div className="mt-6 flex flex-wrap gap-2 border-line border-t pt-5">
      {disabledAt ? (
        <Button loading={enable.isPending} onClick={() => enable.mutate(id)}>
          {t("enable.submit")}
        </Button>
      ) : (
        <>
          <Button onClick={() => setQuestion("resetPassword")}>{t("resetPassword.submit")}</Button>
          <Button onClick={() => setQuestion("disable")}>{t("disable.submit")}</Button>
        </>
      )}
      <Button variant="danger" onClick={() => setQuestion("delete")}>
        {t("delete.submit")}
      </Button>
      <ConfirmDialog
        open={question !== undefined}
        title={question ? t(`${question}.title`) : ""}
        text={question ? t(`${question}.text`, use) : ""}
        detail={email}
        confirmLabel={question ? t(`${question}.submit`) : ""}
        pending={disable.isPending || remove.isPending || reset.isPending}
        onConfirm={() => question && confirm[question]()}
        onCancel={stop}
      />
    </div>
  );
}
