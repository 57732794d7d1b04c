import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { NO_QUOTA } from "../../../../worker/contract/quotas";
import { Button } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { Input } from "../../../components/ui/input";
import { Select } from "../../../components/ui/select";
import { cx } from "../../../lib/cx";
import { useFormat } from "../../../lib/use-format";
import { type Account, instanceQuery, useSetQuota } from "../administration.queries";

const MB = 1024 * 1024;
const KINDS = ["instance", "none", "own"] as const;
type Kind = (typeof KINDS)[number];

const kindOf = (quota: number | null): Kind =>
  quota === null ? "instance" : quota === NO_QUOTA ? "none" : "own";

/** The account's storage limit: that of the instance, none, or one of its own. */
export function QuotaForm({ account: { id, storageQuota, storageLimit } }: { account: Account }) {
  const { t } = useTranslation(["administration", "validation"]);
  const format = useFormat();
  const save = useSetQuota();
  const limit = useQuery(instanceQuery).data?.storage.accountLimit;
  const [kind, setKind] = useState(kindOf(storageQuota));
  const [megabytes, setMegabytes] = useState(String(Math.round((storageLimit ?? 1024 * MB) / MB)));
  const isNumber = /^\d{1,10}$/.test(megabytes) && Number(megabytes) * MB <= LIMITS.accountQuota;
  const bytes = kind === "instance" ? null : kind === "none" ? NO_QUOTA : Number(megabytes) * MB;
  const invalid = kind === "own" && !isNumber;
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
      <Field label={t("quota.label")} className="min-w-[min(13rem,100%)] flex-1">
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
