import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { ListSearch } from "../app/search";
import { TemplatesPage } from "../features/templates/templates-page";

const route = getRouteApi("/signed-in/templates");

const TemplateDialog = lazy(() => import("../features/templates/template-dialog"));

/** The list, and the dialog that lies over it as the address says. Using a template leads to the wizard. */
export function TemplatesRoute() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const show = (over: ListSearch) => void navigate({ to: "/templates", search: over, resetScroll: false });
  return (
    <>
      <TemplatesPage
        onNew={() => show({ dialog: "new" })}
        onUse={(template) => void navigate({ to: "/", search: { wizard: "new", template } })}
        onEdit={(edit) => show({ edit })}
      />
      <Suspense>
        {(search.dialog || search.edit !== undefined) && (
          <TemplateDialog key={search.edit} editId={search.edit} onClose={() => show({})} />
        )}
      </Suspense>
    </>
  );
}
