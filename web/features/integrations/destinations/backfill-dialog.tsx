import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { Field } from "../../../components/ui/field";
import { DateInput } from "../../../components/ui/input";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { toast } from "../../../components/ui/toast-store";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import { useFormat } from "../../../lib/use-format";
import { backfillQuery, type Destination, useBackfill } from "./destinations.queries";

type BackfillDialogProps = { destination: Destination; onClose: () => void };

/** Delivers what was submitted before the destination was added; says how much that is first. */
export function BackfillDialog({ destination: { id, name }, onClose }: BackfillDialogProps) {
  const { t } = useTranslation(["destinations", "common"]);
  const format = useFormat();
  const [day, setDay] = useState("");
  const from = day ? new Date(`${day}T00:00`).toISOString() : undefined;
  const query = useQuery(backfillQuery(id, from));
  const deliver = useBackfill(id);
  useCloseOnBack(true, onClose);
  const { files = 0, bytes = 0 } = query.data ?? {};
  const text = (count: number, size: number) => t("backfill.amount", { count, size: format.size(size) });
  return (
    <Dialog
      onClose={onClose}
      width="sm"
      title={t("backfill.title")}
      description={t("backfill.text", { name })}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button
            variant="primary"
            disabled={files === 0}
            loading={deliver.isPending}
            onClick={() =>
              deliver.mutate(from, {
                onSuccess: (queued) => {
                  onClose();
                  toast({ title: t("backfill.done"), text: text(queued.files, queued.bytes) });
                },
              })
            }
          >
            {t("backfill.confirm")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={t("backfill.from")} hint={t("backfill.fromHint")}>
          <DateInput empty={day === ""} value={day} onChange={({ target }) => setDay(target.value)} />
        </Field>
        {query.data ? (
          <p role="status" className="rounded-control bg-sunken p-3 font-medium">
            {files === 0 ? t("backfill.none") : text(files, bytes)}
          </p>
        ) : (
          <QueryPlaceholder query={query} failed={t("backfill.failed")} rowClass="h-11" rows={1} />
        )}
      </div>
    </Dialog>
  );
}
