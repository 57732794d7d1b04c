import { queryOptions } from "@tanstack/react-query";
import { api, json } from "../../lib/api";

const readContacts = (workspaceId: number) =>
  json(api.contacts.$get({ query: { workspaceId: String(workspaceId) } }));

export type Contact = Awaited<ReturnType<typeof readContacts>>[number];

/** The contacts of a workspace, newest first. */
export const contactsQuery = (workspaceId: number) =>
  queryOptions({ queryKey: ["contacts", { workspaceId }], queryFn: () => readContacts(workspaceId) });

/** First and last name joined. */
export function contactName({ firstName, lastName }: Pick<Contact, "firstName" | "lastName">): string {
  return [firstName, lastName].filter(Boolean).join(" ");
}
