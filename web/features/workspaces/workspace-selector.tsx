import { useClose } from "@headlessui/react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { Check, ChevronsUpDown, Plus, Settings2 } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton, iconButtonClass, Tooltip } from "../../components/ui/icon-button";
import { controlClass } from "../../components/ui/input";
import { lazyComponent } from "../../components/ui/lazy-component";
import { cx } from "../../lib/cx";
import {
  useNamedApart,
  useSelectedWorkspace,
  useSelectWorkspace,
  workspacesQuery,
} from "./workspaces.queries";

const CreateWorkspaceDialog = lazyComponent(() => import("./create-workspace-dialog"));

export function WorkspaceSelector() {
  const { t } = useTranslation("shell");
  const { data: workspaces = [], isPending } = useQuery(workspacesQuery);
  const selected = useSelectedWorkspace();
  const selectWorkspace = useSelectWorkspace();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const closeDrawer = useClose();
  const [creating, setCreating] = useState(false);
  // On the page of settings, a navigation asks before unsaved ones are lost.
  const choose = (id: number) =>
    pathname === "/workspace" ? void navigate({ to: "/workspace", search: { id } }) : selectWorkspace(id);
  return (
    <div className="flex items-center gap-1.5">
      <WorkspaceListBox
        label={t("workspace.label")}
        placeholder={isPending ? "" : t("workspace.none")}
        chosen={selected?.id}
        options={useNamedApart(workspaces)}
        onChoose={choose}
      />
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

type WorkspaceListBoxProps = {
  /** The button is named "label value". */
  label: string;
  placeholder: string;
  chosen: number | undefined;
  options: readonly { id: number; name: string }[];
  onChoose: (id: number) => void;
};

/**
 * A list box without Headless UI, whose positioning code would be part of every first load: this one weighs a
 * twentieth of it.
 */
function WorkspaceListBox({ label, placeholder, chosen, options, onChoose }: WorkspaceListBoxProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const name = options.find((option) => option.id === chosen)?.name ?? placeholder;
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className="relative min-w-0 flex-1">
      <button
        ref={button}
        type="button"
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? `${id}-list` : undefined}
        aria-label={`${label} ${name}`}
        title={name}
        disabled={options.length === 0}
        onClick={() => (open ? close() : setOpen(true))}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setOpen(true);
        }}
        className={cx(
          controlClass,
          "flex h-9 touch:h-10 cursor-pointer items-center gap-1 pr-1.5 pl-2 text-left font-medium",
        )}
      >
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-soft" />
      </button>
      {open && (
        <OptionList
          id={id}
          label={label}
          chosen={chosen}
          options={options}
          onChoose={onChoose}
          onClose={close}
          onLeave={(to) => to !== button.current && setOpen(false)}
        />
      )}
    </div>
  );
}

type OptionListProps = Omit<WorkspaceListBoxProps, "placeholder"> & {
  /** The prefix of the list's and the options' ids. */
  id: string;
  /** Called on Escape, and after an option was chosen. */
  onClose: () => void;
  /** Called when the focus leaves the list. */
  onLeave: (to: EventTarget | null) => void;
};

/** The open list. The focus stays on it while the arrow keys change the active option. */
function OptionList({ id, label, chosen, options, onChoose, onClose, onLeave }: OptionListProps) {
  const isChosen = (option: { id: number }) => option.id === chosen;
  const [active, setActive] = useState(() => Math.max(0, options.findIndex(isChosen)));
  const choose = (index: number) => {
    const option = options[index];
    if (option) onChoose(option.id);
    onClose();
  };
  const handleKey = (event: KeyboardEvent) => {
    const to = nextIndex(event.key, active, options.length);
    if (to !== undefined) {
      setActive(to);
      document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" || event.key === " ") choose(active);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={takeFocus}
      id={`${id}-list`}
      role="listbox"
      aria-label={label}
      aria-activedescendant={`${id}-${active}`}
      tabIndex={-1}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onLeave(relatedTarget);
      }}
      onKeyDown={handleKey}
      className="appear absolute top-full left-0 z-20 mt-1 max-h-72 w-56 overflow-y-auto rounded-control border border-line bg-surface p-1 shadow-float outline-none"
    >
      {options.map((option, index) => (
        <div
          key={option.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={isChosen(option)}
          onClick={() => choose(index)}
          onKeyDown={handleKey}
          onPointerEnter={() => setActive(index)}
          className={cx(
            "flex min-h-8 touch:min-h-10 cursor-pointer items-center gap-2 rounded-md px-2 py-1.5",
            index === active && "bg-hover",
          )}
        >
          <span className="min-w-0 flex-1 break-words">{option.name}</span>
          {isChosen(option) && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
        </div>
      ))}
    </div>
  );
}

const takeFocus = (list: HTMLElement | null) => {
  list?.focus();
  list?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
};

/** The index that a key moves to in a list of `count`, or undefined for other keys. */
function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === "ArrowDown") return Math.min(count - 1, index + 1);
  if (key === "ArrowUp") return Math.max(0, index - 1);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}
