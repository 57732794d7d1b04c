import { useClose } from "@headlessui/react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { Plus, Settings2 } from "lucide-react";
import { type ComponentProps, type ComponentType, lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton, iconButtonClass, tipAt } from "../../components/ui/icon-button";
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

/** Choices that are no workspaces. */
const MANAGE = -1;
const CREATE = -2;

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
  const pick = (id: number | null) => {
    if (id === CREATE) return setCreating(true);
    if (id !== MANAGE) return id !== null && choose(id);
    closeDrawer();
    void navigate({ to: "/workspace" });
  };
  return (
    <div>
      <div className="mb-1 flex items-center justify-end gap-0.5">
        <span aria-hidden className="flex-1 text-ink-soft text-xs">
          {t("workspace.label")}
        </span>
        <Link
          to="/workspace"
          aria-label={t("workspace.manage")}
          {...tipAt("bottom-end", t("workspace.manage"))}
          onClick={closeDrawer}
          className={cx(iconButtonClass, "tip size-7 touch:size-10 hover:bg-hover hover:text-ink")}
        >
          <Settings2 aria-hidden className="size-4" />
        </Link>
        <IconButton
          icon={Plus}
          label={t("workspace.create")}
          side="bottom-end"
          onClick={() => setCreating(true)}
          className="size-7 touch:size-10"
        />
      </div>
      <div>
        <Suspense
          fallback={
            <div className={cx(controlClass, "h-9 touch:h-10 truncate pt-[7px] pl-2! font-medium")}>
              {options.find(({ value }) => value === selected?.id)?.label}
            </div>
          }
        >
          <Select
            inline
            label={t("workspace.label")}
            placeholder={isPending ? "" : t("workspace.none")}
            disabled={options.length === 0}
            value={selected?.id ?? null}
            options={[
              ...options,
              { value: MANAGE, label: t("workspace.manage") },
              { value: CREATE, label: t("workspace.create") },
            ]}
            onChange={pick}
            className="gap-1! pr-1.5! pl-2! font-medium"
          />
        </Suspense>
      </div>
      {creating && <CreateWorkspaceDialog onCreated={choose} onClose={() => setCreating(false)} />}
    </div>
  );
}
