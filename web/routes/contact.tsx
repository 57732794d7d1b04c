import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { ContactSearch } from "../app/search";
import { ContactPage } from "../features/contacts/contact-page";
import { ContactEnvelopes } from "../features/envelopes/contact-envelopes";
import { ContactSeries } from "../features/envelopes/contact-series";
import { useMarkSeen } from "../features/envelopes/envelopes.queries";
import { useEditing } from "../features/workspaces/workspaces.queries";
import { NotFoundRoute } from "./root";

const route = getRouteApi("/signed-in/contacts/$contactId");

const ContactDialog = lazy(() => import("../features/contacts/contact-dialog"));
const EnvelopeDialogs = lazy(() => import("../features/envelopes/detail/envelope-dialogs"));

/** A contact, and what the URL opens over it: its form, one of its envelopes, or a file of that. */
export function ContactRoute() {
  const { contactId } = route.useParams();
  const id = Number(contactId);
  return Number.isSafeInteger(id) && id > 0 ? <OneContact key={id} id={id} /> : <NotFoundRoute />;
}

function OneContact({ id }: { id: number }) {
  const search = route.useSearch();
  const { dialog, envelope } = search;
  const navigate = useNavigate();
  const show = (search: ContactSearch, replace = false) =>
    void navigate({
      to: "/contacts/$contactId",
      params: { contactId: String(id) },
      search,
      replace,
      resetScroll: false,
    });
  useMarkSeen(envelope);
  const editing = useEditing(dialog !== undefined);
  return (
    <>
      <ContactPage
        id={id}
        onRequest={() => void navigate({ to: "/", search: { wizard: "new", contact: id } })}
        onEdit={() => show({ dialog: "edit" })}
        onDeleted={() => void navigate({ to: "/contacts", replace: true })}
      >
        <ContactSeries contactId={id} />
        <ContactEnvelopes
          contactId={id}
          onOpen={(opened) => show({ envelope: opened })}
          onFile={(opened, openedFile) => show({ envelope: opened, file: openedFile })}
        />
      </ContactPage>
      <Suspense>{editing && <ContactDialog editId={id} onClose={() => show({}, true)} />}</Suspense>
      <Suspense>
        {envelope !== undefined && (
          <EnvelopeDialogs
            id={envelope}
            list={{ contactId: id }}
            over={search}
            onOver={show}
            onEdit={(edit) => void navigate({ to: "/", search: { edit } })}
            onDuplicate={(copy) => void navigate({ to: "/", search: { wizard: "new", copy } })}
            onCopy={(copy) => void navigate({ to: "/", search: { wizard: "several", copy } })}
          />
        )}
      </Suspense>
    </>
  );
}
