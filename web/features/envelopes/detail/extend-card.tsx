import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import type { Envelope } from "../envelopes.queries";
import { NewExpirationField, useNewExpiration } from "../new-expiration";
import { useExtend } from "../timeline.queries";

type ExtendCardProps = { envelope: Envelope; onExtended: () => void };

/** Gives an expired envelope a new expiration date. */
export function ExtendCard({ envelope, onExtended }: ExtendCardProps) {
  const { t } = useTranslation("envelopes");
  const [tried, setTried] = useState(false);
  const expiration = useNewExpiration();
  const extend = useExtend(envelope);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!expiration.problem) extend.mutate(expiration.day, { onSuccess: onExtended });
  };
  return (
    <Card title={t("extend.title")}>
      <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
        <NewExpirationField
          expiration={expiration}
          hint={(zone) => t("extend.hint", { zone })}
          tried={tried}
          className="w-full sm:w-auto sm:min-w-56 sm:flex-1"
        />
        <Button type="submit" variant="primary" loading={extend.isPending} className="sm:mt-6.5">
          {t("extend.action")}
        </Button>
      </form>
    </Card>
  );
}
