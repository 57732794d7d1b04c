import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ContactFields } from "../../../worker/contract/contacts";
import { isRecord } from "../../../worker/contract/is-record";
import { api, byId, isChangedMeanwhile, json, listPage } from "../../lib/api";
import { defaultFailureText } from "../../lib/error-text";
import { toasts } from "../../lib/mutation-meta";
import { readAllPages } from "../../lib/read-pages";
import type { ContactSort } from "./list-view";

const readPage = (workspaceId: number, cursor?: string) =>
  listPage(api.contacts.$get({ query: { workspaceId: String(workspaceId), ...(cursor && { cursor }) } }));

export type Contact = Awaited<ReturnType<typeof readPage>>["rows"][number];

/** The contacts of a workspace, newest first. */
export const contactsQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ["contacts", { workspaceId }],
    queryFn: ({ client, queryKey }) =>
      readAllPages(client, queryKey, (cursor) => readPage(workspaceId, cursor)),
  });

/** One contact, for what was opened by its URL. */
export const contactQuery = (id: number) =>
  queryOptions({
    queryKey: ["contacts", id],
    queryFn: () => json(api.contacts[":id"].$get(byId(id))),
  });

/** First and last name joined. */
export function contactName({ firstName, lastName }: Pick<Contact, "firstName" | "lastName">): string {
  return [firstName, lastName].filter(Boolean).join(" ");
}

/** The part of the contact's line in the picker that shows a field. The search looks at what the line shows. */
const LINE = {
  firstName: "name",
  lastName: "name",
  email: "detail",
  company: "detail",
  phone: null,
  notes: null,
  language: null,
} satisfies Record<keyof ContactFields, "name" | "detail" | null>;

/** The fields of a contact that its line shows. */
function shownIn(contact: ContactFields, part: "name" | "detail"): string[] {
  const fields = Object.keys(LINE) as (keyof ContactFields)[];
  return fields.flatMap((field) => (LINE[field] === part && contact[field]) || []);
}

/** What the picker shows beside the name. */
export const contactDetails = (contact: ContactFields): string[] => shownIn(contact, "detail");

/** Whether what the contact's line shows contains every word. */
export function matchesContact(contact: Contact, words: string): boolean {
  const text = [...shownIn(contact, "name"), ...contactDetails(contact)].join(" ").toLocaleLowerCase();
  return words
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/**
 * The contacts in this order; those without what it sorts by come last. The server lists the newest first.
 * @param lastRequest when the contact was last asked for documents
 */
export function sortContacts(
  contacts: readonly Contact[],
  sort: ContactSort,
  lastRequest: (contact: Contact) => string | null | undefined = () => undefined,
): readonly Contact[] {
  if (sort === "newest") return contacts;
  const byName = (one: Contact, other: Contact) => collator.compare(contactName(one), contactName(other));
  if (sort === "name") return contacts.toSorted(byName);
  if (sort === "lastRequest")
    return contacts.toSorted((one, other) => {
      const [first, second] = [lastRequest(one) ?? "", lastRequest(other) ?? ""];
      return first === second ? byName(one, other) : first < second ? 1 : -1;
    });
  return contacts.toSorted(
    (one, other) =>
      Number(!one[sort]) - Number(!other[sort]) ||
      collator.compare(one[sort] ?? "", other[sort] ?? "") ||
      byName(one, other),
  );
}

/** Envelopes show the name of their contact, so they are read again too; but nothing of a deleted contact. */
function refresh(client: QueryClient, deleted?: number): Promise<unknown> {
  const predicate = ({ queryKey: [, key] }: { queryKey: readonly unknown[] }) =>
    deleted === undefined || (key !== deleted && !(isRecord(key) && key.contactId === deleted));
  void client.invalidateQueries({ queryKey: ["requests"], predicate });
  return client.invalidateQueries({ queryKey: ["contacts"], predicate });
}

type ContactPayload = Parameters<typeof api.contacts.$post>[0]["json"] & { updatedAt: string | null };

/** Creates a contact, or changes the one with this id. */
export function useSaveContact(id: number | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (payload: ContactPayload) =>
      id === undefined
        ? json(api.contacts.$post({ json: payload }))
        : json(api.contacts[":id"].$patch({ ...byId(id), json: payload })),
    onSettled: (_saved, error) => (!error || isChangedMeanwhile(error) ? refresh(client) : undefined),
    meta: {
      success: { title: id === undefined ? "contacts:save.created" : "contacts:save.updated" },
      failure: {
        title: id === undefined ? "contacts:save.createFailed" : "contacts:save.updateFailed",
        text: defaultFailureText("contacts:save.failedText"),
        except: isChangedMeanwhile,
      },
    },
  });
}

type ContactList = Parameters<typeof api.contacts.bulk.$post>[0]["json"];

/** Creates and changes the contacts of a list, all or none. */
export function useImportContacts() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (list: ContactList) => json(api.contacts.bulk.$post({ json: list })),
    onSuccess: () => refresh(client),
    meta: toasts("contacts:import.done", "contacts:import.failed"),
  });
}

export function useDeleteContact() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.contacts[":id"].$delete(byId(id)),
    onSuccess: (_response, id) => refresh(client, id),
    meta: {
      success: { title: "contacts:delete.done" },
      failure: { title: "contacts:delete.failed", text: defaultFailureText("contacts:delete.failedText") },
    },
  });
}
