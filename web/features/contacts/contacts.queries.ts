import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, json, listPage } from "../../lib/api";
import { defaultFailureText } from "../../lib/error-text";
import { readAllPages } from "../../lib/read-all-pages";

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

/** One contact, for a dialog that was opened by its URL. */
export const contactQuery = (id: number) =>
  queryOptions({
    queryKey: ["contacts", id],
    queryFn: () => json(api.contacts[":id"].$get({ param: { id: String(id) } })),
  });

/** First and last name joined. */
export function contactName({ firstName, lastName }: Pick<Contact, "firstName" | "lastName">): string {
  return [firstName, lastName].filter(Boolean).join(" ");
}

/** Whether name, e-mail address or company contain every word. */
export function matchesContact(contact: Contact, words: string): boolean {
  const text = [contactName(contact), contact.email, contact.company].join(" ").toLocaleLowerCase();
  return words
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Envelopes show the name of their contact, so they are read again too. */
function refresh(client: QueryClient): Promise<unknown> {
  void client.invalidateQueries({ queryKey: ["requests"] });
  return client.invalidateQueries({ queryKey: ["contacts"] });
}

type ContactPayload = Parameters<typeof api.contacts.$post>[0]["json"];

/** Creates a contact, or changes the one with this id. */
export function useSaveContact(id: number | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (payload: ContactPayload) =>
      id === undefined
        ? json(api.contacts.$post({ json: payload }))
        : json(api.contacts[":id"].$patch({ param: { id: String(id) }, json: payload })),
    onSuccess: () => refresh(client),
    meta: {
      success: { title: id === undefined ? "contacts:save.created" : "contacts:save.updated" },
      failure: {
        title: id === undefined ? "contacts:save.createFailed" : "contacts:save.updateFailed",
        text: defaultFailureText("contacts:save.failedText"),
      },
    },
  });
}

export function useDeleteContact() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.contacts[":id"].$delete({ param: { id: String(id) } }),
    onSuccess: () => refresh(client),
    meta: {
      success: { title: "contacts:delete.done" },
      failure: { title: "contacts:delete.failed", text: defaultFailureText("contacts:delete.failedText") },
    },
  });
}
