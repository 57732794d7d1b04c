import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { splitName } from "../../../lib/list-columns";
import { toInternational } from "../../../lib/phone";
import { type Contact, contactsQuery } from "../../contacts/contacts.queries";
import type { WizardValues } from "./wizard.schema";

/** Whether the recipient is saved as a contact when the envelope is sent, and to which contact the address belongs. */
export function useRecipientContact(
  { control }: UseFormReturn<WizardValues>,
  { workspaceId, needed }: { workspaceId: number | undefined; needed: boolean },
) {
  const values = useWatch({ control }) as WizardValues;
  const [saved, setSaved] = useState(true);
  const contacts = useQuery({
    ...contactsQuery(workspaceId ?? 0),
    enabled: needed && workspaceId !== undefined && values.contactId === null,
  });
  const known =
    values.contactId === null ? contacts.data?.find((contact) => isRecipient(contact, values)) : null;
  // Until the contacts are loaded, nobody knows whether the recipient is one.
  const isNew = known === undefined && contacts.data !== undefined && !contacts.isFetching;
  return {
    offer: isNew ? { saved, onChange: setSaved } : null,
    /** The contact to which the typed address belongs. */
    knownId: known?.id ?? null,
    /** What the payload gains. */
    fields:
      isNew && saved
        ? { newContact: { ...contactOf(values), workspaceId: workspaceId ?? null } }
        : known && { contactId: known.id },
  };
}

/** Compared by e-mail address; without one, by phone number. */
function isRecipient({ email, phone }: Contact, values: WizardValues): boolean {
  const address = values.recipientEmail.trim().toLowerCase();
  if (address) return email?.toLowerCase() === address;
  const number = toInternational(values.countryCode, values.phone);
  return number !== "" && phone?.replace(/[^+\d]/g, "") === number;
}

/** The name is split as for the placeholders of somebody who is no contact. */
function contactOf(values: WizardValues) {
  const { firstName, lastName } = splitName(values.recipientName);
  return {
    firstName,
    lastName: lastName || null,
    email: values.recipientEmail.trim() || null,
    phone: toInternational(values.countryCode, values.phone) || null,
    language: values.language || null,
  };
}
