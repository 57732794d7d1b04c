import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { ListSearch } from "../app/search";
import { ContactsPage } from "../features/contacts/contacts-page";

const route = getRouteApi("/signed-in/contacts");

const ContactDialog = lazy(() => import("../features/contacts/contact-dialog"));

/** The list, and the dialog that lies over it as the address says. */
export function ContactsRoute() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const show = (over: ListSearch) => void navigate({ to: "/contacts", search: over, resetScroll: false });
  return (
    <>
      <ContactsPage onNew={() => show({ dialog: "new" })} onEdit={(edit) => show({ edit })} />
      <Suspense>
        {(search.dialog || search.edit !== undefined) && (
          <ContactDialog key={search.edit} editId={search.edit} onClose={() => show({})} />
        )}
      </Suspense>
    </>
  );
}
