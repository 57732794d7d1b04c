import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useCallback } from "react";
import type { ContactsSearch } from "../app/search";
import { ContactsPage } from "../features/contacts/contacts-page";
import type { ContactsView } from "../features/contacts/list-view";
import { useEditing } from "../features/workspaces/workspaces.queries";

const route = getRouteApi("/signed-in/contacts");

const ContactDialog = lazy(() => import("../features/contacts/contact-dialog"));
const ImportDialog = lazy(() => import("../features/contacts/import/import-dialog"));

/** The list, and the dialog that the URL opens over it. */
export function ContactsRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const editing = useEditing(search.dialog !== undefined || search.edit !== undefined);
  const show = useCallback(
    (over: ContactsSearch, replace = false) =>
      void navigate({
        to: "/contacts",
        search: ({ filter, tag, sortBy }) => ({ filter, tag, sortBy, ...over }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const setView = (changes: ContactsView) =>
    void navigate({
      to: "/contacts",
      search: (now) => ({ ...now, ...changes }),
      replace: true,
      resetScroll: false,
      ignoreBlocker: true,
    });
  // A stable callback, so that memoized cards are not rendered again.
  const edit = useCallback((id: number) => show({ edit: id }), [show]);
  const request = useCallback(
    (contact: number) => void navigate({ to: "/", search: { wizard: "new", contact } }),
    [navigate],
  );
  const open = useCallback(
    (id: number) => void navigate({ to: "/contacts/$contactId", params: { contactId: String(id) } }),
    [navigate],
  );
  return (
    <>
      <ContactsPage
        view={search}
        onView={setView}
        onNew={() => show({ dialog: "new" })}
        onImport={() => show({ dialog: "import" })}
        onRequest={request}
        onRequestAll={(ids) =>
          void navigate({ to: "/", search: { wizard: "several", contacts: ids.join(",") } })
        }
        onOpen={open}
        onEdit={edit}
      />
      <Suspense>
        {editing && search.dialog === "import" && <ImportDialog onClose={() => show({}, true)} />}
        {editing && search.dialog !== "import" && (
          <ContactDialog key={search.edit} editId={search.edit} onClose={() => show({}, true)} />
        )}
      </Suspense>
    </>
  );
}
