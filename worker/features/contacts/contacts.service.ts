import type * as z from "zod/mini";
import { importContacts, listContacts, recordedImport } from "../../../db/queries/contacts";
import type { KeyClaim } from "../../../db/queries/idempotency-keys";
import type { Member } from "../../../db/queries/members";
import type { Cursor } from "../../../db/queries/paging";
import { tagsText } from "../../contract/contact-tags";
import { CONTACT_FIELDS, type ContactsInput, type contactsExportQuery } from "../../contract/contacts";
import { SERVER_LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { csvFile } from "../../lib/csv";
import { pagesOf } from "../../lib/pages";
import { missing, requireWorkspace, throwIfAccountFull } from "../workspaces/workspaces.service";

/**
 * Creates and changes all of the contacts or none.
 * @param claim of the call's `Idempotency-Key`
 * @throws AppError `workspace_not_found`, `role_required`, `account_full`
 */
export async function saveContacts(
  deps: Dependencies,
  member: Member,
  { contacts: entries, match, workspaceId: given }: ContactsInput,
  claim?: KeyClaim,
) {
  const workspaceId = await requireWorkspace(deps, member, given);
  const saved = await importContacts(
    deps.db,
    member,
    {
      workspaceId,
      entries,
      byEmail: match === "email",
      quotas: deps.config.quotas,
      now: deps.clock.now().toISOString(),
      takeTurn: deps.takeTurn,
    },
    claim,
  ).catch(throwIfAccountFull(SERVER_LIMITS.contactsPerAccount));
  if (saved) return saved;
  throw await missing(deps, member, "workspace_not_found", { kind: "workspace", id: workspaceId });
}

/** What an earlier call has saved. @throws AppError `workspace_not_found` */
export async function readImport(deps: Dependencies, member: Member, resource: string) {
  const { counts, workspaceId } = recordedImport(resource);
  await requireWorkspace(deps, member, workspaceId);
  return counts;
}

type Exported = z.output<typeof contactsExportQuery>;

/** The contacts as a CSV file, whose columns an import knows. */
export const contactsCsv = (deps: Dependencies, member: Member, exported: Exported) =>
  csvFile(CONTACT_FIELDS, contactPages(deps, member, exported));

async function* contactPages({ db, takeTurn }: Dependencies, member: Member, { ids, ...found }: Exported) {
  const chosen = ids && new Set(ids);
  const pages = pagesOf(async (cursor?: Cursor) => {
    await takeTurn?.();
    return listContacts(db, member, { ...found, cursor });
  });
  for await (const rows of pages)
    yield rows
      .filter(({ id }) => chosen?.has(id) ?? true)
      .map((contact) =>
        CONTACT_FIELDS.map((field) => (field === "tags" ? tagsText(contact.tags) : (contact[field] ?? ""))),
      );
}
