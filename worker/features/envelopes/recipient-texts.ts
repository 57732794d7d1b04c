import type { User } from "../../../db/queries/users";
import { envelopeOf, type RecipientInput, type SharedInput } from "../../contract/bulk-sends";
import type { EnvelopeInput } from "../../contract/envelopes";
import type { PlaceholderSource } from "../../contract/placeholders";
import { requireFilled } from "./placeholders";

/** A recipient of a bulk send, with what placeholders say of the contact. */
export type StoredRecipient = RecipientInput & { contact: PlaceholderSource["contact"] };

type Filling = { requestor: User; now: Date; columns: ReadonlySet<string> };

/** The columns of all recipients: of one that only others have, a recipient lacks the value. */
export const columnsOf = (recipients: readonly RecipientInput[]): ReadonlySet<string> =>
  new Set(recipients.flatMap(({ values }) => Object.keys(values ?? {})));

/** The envelope of one recipient with its placeholders replaced. @throws AppError `missing_placeholder`, `validation` */
export function filledFor(
  shared: SharedInput,
  { contact, ...recipient }: StoredRecipient,
  { requestor, now, columns }: Filling,
): EnvelopeInput {
  const given = recipient.values ?? {};
  return requireFilled(envelopeOf(shared, recipient), {
    ...{ contact, requestor, now },
    columns: Object.fromEntries([...columns].map((name) => [name, given[name] ?? ""])),
  });
}
