import { useQuery } from "@tanstack/react-query";
import { useFormState } from "react-hook-form";
import { useTranslation } from "react-i18next";
import {
  fillTexts,
  type MissingPlaceholders,
  placeholderValues,
  typedPlaceholders,
  unknownPlaceholders,
} from "../../../../worker/contract/placeholders";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone, userQuery } from "../../auth/auth.queries";
import { contactQuery } from "../../contacts/contacts.queries";
import type { WizardValues } from "./wizard.schema";

/** The subject as it is sent, and which placeholders of all texts have no value or are unknown. */
export type FoundPlaceholders = { subject: string; missing: MissingPlaceholders[]; unknown: string[] };

/** What the placeholders of the envelope become; undefined while the contact is loading. */
export function usePlaceholders(values: WizardValues): FoundPlaceholders | undefined {
  const timeZone = useAccountTimeZone();
  const { data: user } = useQuery(userQuery);
  const { contactId, recipientName, dueDate } = values;
  const contact = useQuery(contactQuery(contactId));
  if (contactId !== null && contact.isPending) return undefined;
  const replaced = placeholderValues({
    recipientName,
    contact: contactId === null ? null : contact.data,
    dueDate: dueDate || null,
    day: values.sendOn || today(timeZone),
    language: values.language || (user?.languagePreference ?? "en"),
  });
  const { texts, missing } = fillTexts(values, replaced);
  return { subject: texts.subject, missing, unknown: unknownPlaceholders(values, replaced) };
}

/** Which placeholders have no value for the recipient, and which are unknown. */
export function PlaceholderNotes({ found }: { found: FoundPlaceholders | undefined }) {
  const { t } = useTranslation("envelopes");
  const { errors } = useFormState<WizardValues>();
  if (!found) return null;
  // After an attempt to send, it is under its field.
  const isUnderField = [errors.subject, errors.message].some((error) => error?.type === "placeholder");
  const missing = !isUnderField && typedPlaceholders(found.missing.flatMap(({ names }) => names));
  const unknown = typedPlaceholders(found.unknown);
  return (
    <div role="status" className="text-xs empty:sr-only">
      {missing && <p className="font-medium text-warn">{t("placeholders.missing", { names: missing })}</p>}
      {unknown && <p className="text-ink-soft">{t("placeholders.unknown", { names: unknown })}</p>}
    </div>
  );
}
