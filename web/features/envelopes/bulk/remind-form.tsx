import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopeRow } from "../../../../worker/contract/envelopes";
import { LIMITS } from "../../../../worker/contract/limits";
import { Disclosure } from "../../../components/ui/disclosure";
import { Field } from "../../../components/ui/field";
import { Textarea } from "../../../components/ui/input";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { useDelayed } from "../../../lib/use-url-input";
import { MessagePreviews } from "../message-previews";
import { RecipientStepper } from "../recipient-stepper";
import { type RemindInput, reminderQuery } from "../timeline.queries";
import type { BulkInput } from "./bulk-actions";

type RemindFormProps = {
  /** Who is reminded. */
  affected: readonly EnvelopeRow[];
  /** How many were reminded within 24 hours; null if they cannot be left out. */
  reminded: number | null;
  input: BulkInput;
  onInput: (changes: Partial<BulkInput>) => void;
};

/** What is added to the reminders, whom they leave out, and the messages as they will be. */
export function RemindForm({ affected, reminded, input, onInput }: RemindFormProps) {
  const { t } = useTranslation("envelopes");
  const { note, leavesOutReminded, documentIds } = input;
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, affected.length - 1);
  const shown = affected[at];
  const sent = useDelayed(note);
  return (
    <>
      {reminded !== null && reminded > 0 && (
        <label className="flex cursor-pointer items-start gap-2.5">
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0"
            checked={leavesOutReminded}
            onChange={({ target }) => onInput({ leavesOutReminded: target.checked })}
          />
          {t("remind.leaveOut", { count: reminded })}
        </label>
      )}
      <Field label={t("remind.note")} hint={t("remind.noteHint")}>
        <Textarea
          rows={3}
          maxLength={LIMITS.reminderNote}
          value={note}
          onChange={({ target }) => onInput({ note: target.value })}
        />
      </Field>
      {shown && (
        <Disclosure open prominent summary={t("remind.text")}>
          {affected.length > 1 && (
            <RecipientStepper
              recipients={affected.map(({ recipient, subject }) =>
                [recipient, subject].filter(Boolean).join(" · "),
              )}
              at={at}
              onChoose={setChosen}
            />
          )}
          <ReminderPreview id={shown.id} input={{ note: sent, documentIds: documentIds.get(shown.id) }} />
        </Disclosure>
      )}
    </>
  );
}

function ReminderPreview({ id, input }: { id: number; input: RemindInput }) {
  const { t } = useTranslation("envelopes");
  const reminder = useQuery(reminderQuery(id, input));
  if (!reminder.data)
    return <QueryPlaceholder query={reminder} failed={t("remind.loadFailed")} rowClass="h-40" />;
  return <MessagePreviews {...reminder.data} />;
}
