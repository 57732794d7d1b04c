import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { NameSort } from "../../../worker/contract/list-orders";
import type { Language } from "../../../worker/contract/options";
import { splitName } from "../../../worker/contract/patterns";
import { containsWords, FILTERED_OF_CONTACT, typedPhone } from "../../../worker/contract/searched-words";
import { api, byId, isChangedMeanwhile, json, listPage } from "../../lib/api";
import { defaultFailureText } from "../../lib/error-text";
import { toasts } from "../../lib/mutation-meta";
import { pagedList, useAllPages } from "../../lib/read-pages";

/** What the server lists: the contacts of a workspace, or those that a filter finds. */
export type ContactList = {
  workspaceId: number;
  sort?: NameSort | undefined;
  filter?: string | undefined;
  tag?: string | undefined;
};

const readPage = ({ workspaceId, sort, filter, tag }: ContactList, cursor: string | undefined) =>
  listPage(
    api.contacts.$get({
      query: {
        ...{ workspaceId: String(workspaceId), limit: "100" },
        ...(sort && { sort }),
        ...(filter && { filter }),
        ...(tag && { tag }),
        ...(cursor && { cursor, limit: "500" }),
      },
    }),
  );

export type Contact = Awaited<ReturnType<typeof readPage>>["rows"][number];

export const contactsQuery = (list: ContactList) =>
  infiniteQueryOptions({
    queryKey: ["contacts", list] as const,
    ...pagedList((cursor) => readPage(list, cursor)),
    // The rows before stay, but not those of another workspace.
    placeholderData: (rows, query) =>
      query?.queryKey[1].workspaceId === list.workspaceId ? rows : undefined,
  });

const allContacts = (workspaceId: number) => contactsQuery({ workspaceId, sort: "name" });

/** All contacts of a workspace by name, among which a list of many recipients finds its own. */
export function useAllContacts(workspaceId: number | undefined) {
  const query = useInfiniteQuery({
    ...allContacts(workspaceId ?? 0),
    enabled: workspaceId !== undefined,
  });
  useAllPages(query);
  return query;
}

/** Those of them that are loaded. */
export const loadedContacts = (client: QueryClient, workspaceId: number): Contact[] =>
  client.getQueryData(allContacts(workspaceId).queryKey)?.pages.flatMap(({ rows }) => rows) ?? [];

/** The tags of a workspace's contacts. */
export const tagsQuery = (workspaceId: number | undefined) =>
  queryOptions({
    queryKey: ["contacts", "tags", workspaceId],
    enabled: workspaceId !== undefined,
    queryFn: () => json(api.contacts.tags.$get({ query: { workspaceId: String(workspaceId) } })),
  });

/** One contact, for what was opened by its URL; nothing without an id. */
export const contactQuery = (id: number | null) =>
  queryOptions({
    queryKey: ["contacts", id],
    enabled: id !== null,
    queryFn: () => json(api.contacts[":id"].$get(byId(id ?? 0))),
  });

/** First and last name joined. */
export function contactName({ firstName, lastName }: Pick<Contact, "firstName" | "lastName">): string {
  return [firstName, lastName].filter(Boolean).join(" ");
}

type ContactRecipient = {
  name: string;
  email: string | null;
  phone: string | null;
  language: Language | null;
};

/** A recipient as a contact; the name is split as for the placeholders of somebody who is no contact. */
export function contactOf({ name, ...recipient }: ContactRecipient) {
  const { firstName, lastName } = splitName(name);
  return { firstName, lastName: lastName || null, ...recipient };
}

/** What the picker shows beside the name. */
export const contactDetails = ({ email, company }: Pick<Contact, "email" | "company">): string[] =>
  [email, company].flatMap((detail) => detail || []);

/** Whether the filter of contacts finds the contact, as on the server. */
export function matchesContact(contact: Contact, words: string): boolean {
  const phone = typedPhone(words);
  const texts = FILTERED_OF_CONTACT.map((field) => contact[field] ?? "");
  return (
    containsWords([contactName(contact), ...texts].join(" "), words) ||
    (phone !== undefined && (contact.phone?.replace(/\D/g, "").includes(phone) ?? false))
  );
}

/**
 * Envelopes show the name of their contact, so they are read again too. As `onSuccess` of a mutation that is given the id of
 * a contact, which is deleted then: nothing of that contact.
 */
function useRefreshContacts() {
  const client = useQueryClient();
  return (_response?: unknown, deleted?: unknown): Promise<unknown> => {
    const predicate = ({ queryKey: [list, key, of] }: { queryKey: readonly unknown[] }) =>
      deleted === undefined || (list === "contacts" ? key : key === "contact" && of) !== deleted;
    void client.invalidateQueries({ queryKey: ["requests"], predicate });
    return client.invalidateQueries({ queryKey: ["contacts"], predicate });
  };
}

type ContactPayload = Parameters<typeof api.contacts.$post>[0]["json"] & { updatedAt: string | null };

/** Creates a contact, or changes the one with this id. */
export function useSaveContact(id: number | undefined) {
  const refresh = useRefreshContacts();
  return useMutation({
    mutationFn: async (payload: ContactPayload) =>
      id === undefined
        ? json(api.contacts.$post({ json: payload }))
        : json(api.contacts[":id"].$patch({ ...byId(id), json: payload })),
    onSettled: (_saved, error) => (!error || isChangedMeanwhile(error) ? refresh() : undefined),
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

type ImportedContacts = Parameters<typeof api.contacts.bulk.$post>[0]["json"];

/** Creates and changes the contacts of a list, all or none. */
export const useImportContacts = () =>
  useMutation({
    mutationFn: (list: ImportedContacts) => json(api.contacts.bulk.$post({ json: list })),
    onSuccess: useRefreshContacts(),
    meta: { failure: { title: "contacts:import.failed" } },
  });

/** Adds tags to contacts and removes others. */
export const useChangeTags = () =>
  useMutation({
    mutationFn: (change: Parameters<typeof api.contacts.tags.$post>[0]["json"]) =>
      json(api.contacts.tags.$post({ json: change })),
    onSuccess: useRefreshContacts(),
    meta: toasts("contacts:selected.tagged", "contacts:save.updateFailed"),
  });

export const useDeleteContacts = () =>
  useMutation({
    mutationFn: (ids: number[]) => json(api.contacts.delete.$post({ json: { ids } })),
    onSuccess: useRefreshContacts(),
    meta: toasts("contacts:selected.deleted", "contacts:delete.failed"),
  });

export const useDeleteContact = () =>
  useMutation({
    mutationFn: (id: number) => api.contacts[":id"].$delete(byId(id)),
    onSuccess: useRefreshContacts(),
    meta: {
      success: { title: "contacts:delete.done" },
      failure: { title: "contacts:delete.failed", text: defaultFailureText("contacts:delete.failedText") },
    },
  });
