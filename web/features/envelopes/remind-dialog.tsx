import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { EnvelopeRow } from "../../../worker/contract/envelopes";
import { Button } from "../../components/ui/button";
import { Dialog } from "../../components/ui/dialog";
import { QueryError, Skeleton, SkeletonGroup } from "../../components/ui/query-placeholder";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { useFormat } from "../../lib/use-format";
import { canRemind } from "./envelope";
import { envelopeQuery } from "./envelopes.queries";
import { MessagePreviews } from "./message-previews";
import { type Reminder, reminderQuery, useRemind } from "./timeline.queries";

type RemindDialogProps = { envelope: EnvelopeRow; onClose: () => void };

/** Asks before a reminder is sent: to whom, what it says, and when the last one was sent. */
export default function RemindDialog({ envelope, onClose }: RemindDialogProps) {
  const { t } = useTranslation(["envelopes", "common", "errors"]);
  const remind = useRemind();
  const { data: details } = useQuery(envelopeQuery(envelope.id));
  const reminder = useQuery(reminderQuery(envelope.id, {}));
  useCloseOnBack(true, onClose);
  return (
    <Dialog
      onClose={onClose}
      hideCloseButton
      title={t("remind.title", { name: envelope.recipient })}
      subtitle={envelope.subject || t("noSubject")}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button
            variant="primary"
            disabled={!details || !canRemind(details) || !reminder.data || reminder.data.possibleAt !== null}
            loading={remind.isPending}
            onClick={() => remind.mutate({ id: envelope.id }, { onSettled: onClose })}
          >
            {t("remind.send")}
          </Button>
        </>
      }
    >
      {details?.unsubscribedAt && (
        <p role="alert" className="mb-3 text-warn">
          {t("unsubscribed.text")}
        </p>
      )}
      {reminder.isError ? (
        <QueryError title={t("remind.loadFailed")} query={reminder} />
      ) : reminder.data ? (
        <ReminderText reminder={reminder.data} />
      ) : (
        <SkeletonGroup label={t("remind.loading")}>
          <Skeleton className="mb-3 h-4 w-48" />
          <Skeleton className="h-40 w-full" />
        </SkeletonGroup>
      )}
    </Dialog>
  );
}

function ReminderText({ reminder: { remindedAt, possibleAt, ...messages } }: { reminder: Reminder }) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  return (
    <div className="space-y-4">
      {possibleAt ? (
        <p role="alert" className="text-warn">
          {t("remind.tooSoon")}
        </p>
      ) : (
        <p>{remindedAt ? t("remind.last", { when: format.when(remindedAt) }) : t("remind.first")}</p>
      )}
      <details open>
        <summary className="mb-3 w-fit cursor-pointer rounded-sm font-medium">{t("remind.text")}</summary>
        <MessagePreviews {...messages} />
      </details>
    </div>
  );
}
