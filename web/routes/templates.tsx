import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useCallback } from "react";
import type { TemplatesSearch } from "../app/search";
import { TemplatesPage } from "../features/templates/templates-page";
import { useEditing } from "../features/workspaces/workspaces.queries";

const route = getRouteApi("/signed-in/templates");

const TemplateDialog = lazy(() => import("../features/templates/template-dialog"));

/** The list, and the dialog that the URL opens over it. Using a template opens the wizard. */
export function TemplatesRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const editing = useEditing(search.dialog !== undefined || search.edit !== undefined);
  const show = useCallback(
    (over: TemplatesSearch, replace = false) =>
      void navigate({
        to: "/templates",
        search: ({ filter }) => ({ filter, ...over }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const setFilter = (filter: string | undefined) =>
    void navigate({
      to: "/templates",
      search: (now) => ({ ...now, filter }),
      replace: true,
      resetScroll: false,
      ignoreBlocker: true,
    });
  // A stable callback, so that memoized cards are not rendered again.
  const edit = useCallback((id: number) => show({ edit: id }), [show]);
  const use = useCallback(
    (template: number) => void navigate({ to: "/", search: { wizard: "new", template } }),
    [navigate],
  );
  const board = useCallback(
    (templateId: number) => void navigate({ to: "/", search: { view: "board", templateId } }),
    [navigate],
  );
  return (
    <>
      <TemplatesPage
        filter={search.filter}
        onFilter={setFilter}
        onNew={() => show({ dialog: "new" })}
        onUse={use}
        onEdit={edit}
        onBoard={board}
      />
      <Suspense>
        {editing && <TemplateDialog key={search.edit} editId={search.edit} onClose={() => show({}, true)} />}
      </Suspense>
    </>
  );
}
