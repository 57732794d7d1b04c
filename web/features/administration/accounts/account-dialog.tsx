import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { NO_QUOTA } from "../../../../worker/contract/quotas";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { Dialog } from "../../../components/ui/dialog";
import { Fact } from "../../../components/ui/fact";
import { Field } from "../../../components/ui/field";
import { Input } from "../../../components/ui/input";
import { Select } from "../../../components/ui/select";
import { Spinner } from "../../../components/ui/spinner";
import { cx } from "../../../lib/cx";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import { useFormat } from "../../../lib/use-format";
import { userQuery } from "../../auth/auth.queries";
import {
  type Account,
  accountQuery,
  bytesOfLimit,
  instanceQuery,
  megabytesOf,
  useDisable,
  useEnable,
  useRemoveAccount,
  useResetPassword,
  useResetTwoFactor,
  useSetQuota,
} from "../administration.queries";

/** How an account is used, and what an administrator can do about it. */
export function AccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation(["administration", "common"]);
  const { data: user } = useQuery(userQuery);
  useCloseOnBack(true, onClose);
  return (
    <Dialog
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
  const factors = useQuery(accountQuery(account.id)).data?.secondFactors;
  const used = format.size(storageBytes);
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      <Fact term={t("accounts.created")}>{format.dateTime(createdAt)}</Fact>
      <Fact term={t("accounts.lastSeen")}>
        {lastSeenAt ? format.relative(lastSeenAt) : t("accounts.never")}
      </Fact>
      <Fact term={t("accounts.envelopes")}>{format.number(envelopes)}</Fact>
      <Fact term={t("accounts.storage")}>
        <p>
          {storageLimit === null ? used : t("accounts.storageOf", { used, limit: format.size(storageLimit) })}
        </p>
        {reservedBytes > 0 && (
          <p className="text-ink-soft text-xs">
            {t("accounts.storageReserved", { size: format.size(reservedBytes) })}
          </p>
        )}
      </Fact>
      <Fact term={t("accounts.address")}>
        {isVerified ? t("accounts.verified") : t("accounts.unverified")}
      </Fact>
      {factors && (
        <Fact term={t("accounts.factors")}>
          {factors.totp && <p>{t("accounts.app", { codes: factors.recoveryCodesLeft })}</p>}
          {factors.passkeys > 0 && <p>{t("accounts.passkeys", { count: factors.passkeys })}</p>}
          {!factors.totp && factors.passkeys === 0 && <p>{t("accounts.noFactors")}</p>}
        </Fact>
      )}
      {disabledAt && <Fact term={t("accounts.disabledSince")}>{format.dateTime(disabledAt)}</Fact>}
    </dl>
  );
}

type Question = "disable" | "delete" | "resetPassword" | "resetTwoFactor";

function Actions({ account, onDeleted }: { account: Account; onDeleted: () => void }) {
  const { t } = useTranslation("administration");
  const format = useFormat();
  const [question, setQuestion] = useState<Question>();
  const disable = useDisable();
  const enable = useEnable();
  const reset = useResetPassword();
  const remove = useRemoveAccount();
  const resetFactors = useResetTwoFactor();
  const { data: detail } = useQuery(accountQuery(account.id));
  const stop = () => setQuestion(undefined);
  const { id, email, disabledAt } = account;
  const confirm = {
    disable: () => disable.mutate(id, { onSettled: stop }),
    resetPassword: () => reset.mutate(id, { onSettled: stop }),
    resetTwoFactor: () => resetFactors.mutate(id, { onSettled: stop }),
    delete: () => remove.mutate(id, { onSuccess: onDeleted, onError: stop }),
  };
  if (!detail) return <Spinner />;
  const { removal, secondFactors } = detail;
  const use = { envelopes: format.number(removal.envelopes), size: format.size(removal.storageBytes) };
  const kept = {
    ...{ envelopes: format.number(removal.keptEnvelopes), size: format.size(removal.keptBytes) },
    keptBy: removal.keptBy,
  };
  const staying = question === "delete" && removal.keptWorkspaces > 0 ? ` ${t("delete.kept", kept)}` : "";
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
      {(secondFactors.totp || secondFactors.passkeys > 0) && (
        <Button onClick={() => setQuestion("resetTwoFactor")}>{t("resetTwoFactor.submit")}</Button>
      )}
      <Button variant="danger" onClick={() => setQuestion("delete")}>
        {t("delete.submit")}
      </Button>
      <ConfirmDialog
        open={question !== undefined}
        title={question ? t(`${question}.title`) : ""}
        text={question ? t(`${question}.text`, use) + staying : ""}
        detail={email}
        confirmLabel={question ? t(`${question}.submit`) : ""}
        pending={[disable, remove, reset, resetFactors].some(({ isPending }) => isPending)}
        onConfirm={() => question && confirm[question]()}
        onCancel={stop}
      />
    </div>
  );
}

const KINDS = ["instance", "none", "own"] as const;
type Kind = (typeof KINDS)[number];

const kindOf = (quota: number | null): Kind =>
  quota === null ? "instance" : quota === NO_QUOTA ? "none" : "own";

/** The account's storage limit: that of the instance, none, or one of its own. */
function QuotaForm({ account: { id, storageQuota, storageLimit } }: { account: Account }) {
  const { t } = useTranslation(["administration", "validation"]);
  const format = useFormat();
  const save = useSetQuota();
  const limit = useQuery(instanceQuery).data?.storage.accountLimit;
  const [kind, setKind] = useState(kindOf(storageQuota));
  const [megabytes, setMegabytes] = useState(storageLimit === null ? "1024" : megabytesOf(storageLimit));
  const bytes = kind === "instance" ? null : kind === "none" ? NO_QUOTA : bytesOfLimit(megabytes);
  const invalid = bytes === undefined;
  const instanceLabel = t("quota.instanceOf", {
    limit: limit ? format.size(limit) : t("quota.none"),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!invalid) save.mutate({ id, bytes });
  };
  return (
    <form
      noValidate
      onSubmit={submit}
      // The error below the number must not move what stands beside it.
      className={cx(
        "mt-6 flex flex-wrap gap-2 border-line border-t pt-5",
        kind === "own" ? "items-start" : "items-end",
      )}
    >
      <Field label={t("quota.label")} className="min-w-[min(17rem,100%)] flex-1">
        <Select<Kind>
          value={kind}
          onChange={setKind}
          options={KINDS.map((value) => ({
            value,
            label: value === "instance" && limit !== undefined ? instanceLabel : t(`quota.${value}`),
          }))}
        />
      </Field>
      <div className="flex items-start gap-2">
        {kind === "own" && (
          <Field
            label={t("quota.megabytes")}
            error={invalid ? t("quota.invalid") : undefined}
            className="w-28 sm:w-32"
          >
            <Input
              inputMode="numeric"
              value={megabytes}
              onChange={(event) => setMegabytes(event.target.value)}
            />
          </Field>
        )}
        <Button
          type="submit"
          loading={save.isPending}
          disabled={invalid || bytes === storageQuota}
          className={cx(kind === "own" && "mt-6.5")}
        >
          {t("quota.submit")}
        </Button>
      </div>
    </form>
  );
}
