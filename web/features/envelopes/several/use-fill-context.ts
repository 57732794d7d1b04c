import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone, userQuery } from "../../auth/auth.queries";
import { useAllContacts } from "../../contacts/contacts.queries";
import type { WizardValues } from "../wizard/wizard.schema";
import { type FillContext, knownContacts, placeholdersOf, type RecipientList } from "./recipient-list";

/** What the placeholders of the recipients are replaced by. */
export function useFillContext(
  values: WizardValues,
  list: RecipientList,
  workspaceId: number | undefined,
): FillContext {
  const timeZone = useAccountTimeZone();
  const { data: user } = useQuery(userQuery);
  const contacts = useAllContacts(workspaceId);
  const known = useMemo(() => knownContacts(contacts.data ?? []), [contacts.data]);
  const names = useStableNames(placeholdersOf(list));
  const { subject, message, documents, dueDate } = values;
  const language = values.language || (user?.languagePreference ?? "en");
  const descriptions = documents.map(({ description }) => ({ description }));
  // As text: the form's values are other objects at each render. All rows are read again after a pause in typing.
  const typed = useDeferredValue(JSON.stringify({ subject, message, documents: descriptions }));
  return useMemo(
    () => ({
      texts: JSON.parse(typed) as FillContext["texts"],
      ...{ names, known, dueDate, day: today(timeZone), language },
    }),
    [typed, names, known, dueDate, timeZone, language],
  );
}

/** The same array as long as it has the same names. */
function useStableNames(names: string[]): readonly string[] {
  const joined = names.join("\n");
  return useMemo(() => (joined === "" ? [] : joined.split("\n")), [joined]);
}
