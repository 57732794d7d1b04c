import { useClose } from "@headlessui/react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { Plus, Settings2 } from "lucide-react";
import { type ComponentProps, type ComponentType, lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton, iconButtonClass, Tooltip } from "../../components/ui/icon-button";
import { controlClass } from "../../components/ui/input";
import { lazyComponent } from "../../components/ui/lazy-component";
import type { Select as SelectOf } from "../../components/ui/select";
import { cx } from "../../lib/cx";
import {
  useNamedApart,
  useSelectedWorkspace,
  useSelectWorkspace,
  workspacesQuery,
} from "./workspaces.queries";

const CreateWorkspaceDialog = lazyComponent(() => import("./create-workspace-dialog"));

/** Its positioning code is not part of a first load. */
const Select = lazy(async () => ({
  default: (await import("../../components/ui/select")).Select as ComponentType<
    ComponentProps<typeof SelectOf<number | null>>
  >,
}));

export function WorkspaceSelector() {
  const { t } = useTranslation("shell");
  const { data: workspaces = [], isPending } = useQuery(workspacesQuery);
  const selected = useSelectedWorkspace();
  const selectWorkspace = useSelectWorkspace();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const closeDrawer = useClose();
  const [creating, setCreating] = useState(false);
  const options = useNamedApart(workspaces).map(({ id, name }) => ({ value: id, label: name }));
  // On the page of settings, a navigation asks before unsaved ones are lost.
  const choose = (id: number) =>
    pathname === "/workspace" ? void navigate({ to: "/workspace", search: { id } }) : selectWorkspace(id);
  return (
    <div className="flex items-center gap-1.5">
      <div className="min-w-0 flex-1">
        <Suspense fallback={<div className={cx(controlClass, "h-9 touch:h-10")} />}>
          <Select
            inline
            label={t("workspace.label")}
            placeholder={isPending ? "" : t("workspace.none")}
            disabled={options.length === 0}
            value={selected?.id ?? null}
            options={options}
            onChange={(id) => id !== null && choose(id)}
            className="gap-1! pr-1.5! pl-2! font-medium"
          />
        </Suspense>
      </div>
      <Tooltip text={t("workspace.manage")} side="bottom-end">
        <Link
          to="/workspace"
          aria-label={t("workspace.manage")}
          onClick={closeDrawer}
          className={cx(iconButtonClass, "size-9 border border-line-strong hover:bg-hover hover:text-ink")}
        >
          <Settings2 aria-hidden className="size-4" />
        </Link>
      </Tooltip>
      <IconButton
        icon={Plus}
        label={t("workspace.create")}
        side="bottom-end"
        onClick={() => setCreating(true)}
        className="size-9 border border-line-strong"
      />
      {creating && <CreateWorkspaceDialog onCreated={choose} onClose={() => setCreating(false)} />}
    </div>
  );
}
