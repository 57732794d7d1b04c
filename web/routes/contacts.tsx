import { ContactsPage } from "../features/contacts/contacts-page";

export function ContactsRoute() {
  return <ContactsPage />;
}
