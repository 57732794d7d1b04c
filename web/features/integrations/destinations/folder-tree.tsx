import { useQuery } from "@tanstack/react-query";
import { ChevronRight, Folder } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { cx } from "../../../lib/cx";
import { type CloudFolder, foldersQuery } from "./destinations.queries";

type FolderTreeProps = {
  destinationId: number;
  chosen: string | undefined;
  onChoose: (folder: CloudFolder) => void;
};

/** The folders of a drive. The arrow keys move, open and close; Enter or Space chooses. */
export function FolderTree(props: FolderTreeProps) {
  const { t } = useTranslation("destinations");
  const tree = useRef<HTMLDivElement>(null);
  const query = useQuery(foldersQuery(props.destinationId, undefined));
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !(event.target instanceof HTMLElement)) return;
    event.preventDefault();
    const items = [...(tree.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])];
    items[items.indexOf(event.target) + step]?.focus();
  };
  if (!query.data)
    return <QueryPlaceholder query={query} failed={t("folder.loadFailed")} rowClass="h-8" rows={3} />;
  if (query.data.length === 0) return <p className="text-ink-soft">{t("folder.empty")}</p>;
  return (
    <div
      ref={tree}
      role="tree"
      aria-label={t("folder.tree")}
      onKeyDown={move}
      className="max-h-64 overflow-y-auto rounded-control border border-line-strong p-1"
    >
      {query.data.map((folder, index) => (
        <FolderItem key={folder.id} folder={folder} level={1} isFirst={index === 0} {...props} />
      ))}
    </div>
  );
}

type FolderItemProps = FolderTreeProps & {
  folder: CloudFolder;
  level: number;
  /** The Tab key reaches the first folder, and the chosen one. */
  isFirst?: boolean;
};

/** A folder, and those in it as its siblings, so that its name is its own text alone. */
function FolderItem({ folder, level, isFirst = false, ...tree }: FolderItemProps) {
  const { t } = useTranslation("destinations");
  const [open, setOpen] = useState(false);
  const query = useQuery({ ...foldersQuery(tree.destinationId, folder.id), enabled: open });
  const isChosen = tree.chosen === folder.id;
  const isLeaf = query.data?.length === 0;
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const { key, currentTarget } = event;
    if (key === "ArrowRight" && !open) setOpen(true);
    else if (key === "ArrowRight") (currentTarget.nextElementSibling as HTMLElement | null)?.focus();
    else if (key === "ArrowLeft" && open && !isLeaf) setOpen(false);
    else if (key === "ArrowLeft") parentOf(currentTarget, level)?.focus();
    else if (key === "Enter" || key === " ") tree.onChoose(folder);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div
        role="treeitem"
        aria-level={level}
        aria-selected={isChosen}
        {...(!isLeaf && { "aria-expanded": open })}
        tabIndex={isChosen || isFirst ? 0 : -1}
        onKeyDown={press}
        onClick={() => tree.onChoose(folder)}
        className={cx(
          "flex min-h-8 touch:min-h-10 cursor-pointer flex-wrap items-center gap-1.5 rounded-md pr-2 -outline-offset-2!",
          isChosen ? "bg-accent-soft text-accent-text" : "hover:bg-hover",
        )}
        style={{ paddingLeft: `${(level - 1) * 1.25}rem` }}
      >
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          onClick={(event) => {
            event.stopPropagation();
            setOpen(!open);
          }}
          className={cx("p-1.5", isLeaf && "invisible")}
        >
          <ChevronRight aria-hidden className={cx("size-4", open && "rotate-90")} />
        </button>
        <Folder aria-hidden className="size-4 shrink-0 text-ink-soft" />
        <span className="min-w-0 flex-1 break-words">{folder.name}</span>
        {open && !query.data && (
          <div className="w-full p-2">
            <QueryPlaceholder query={query} failed={t("folder.loadFailed")} rowClass="h-6" rows={1} />
          </div>
        )}
      </div>
      {open &&
        query.data?.map((child) => <FolderItem key={child.id} folder={child} level={level + 1} {...tree} />)}
    </>
  );
}

/** The item of the folder that an item's is in. */
function parentOf(item: Element, level: number): HTMLElement | undefined {
  for (let before = item.previousElementSibling; before; before = before.previousElementSibling)
    if (Number(before.getAttribute("aria-level")) < level) return before as HTMLElement;
}
