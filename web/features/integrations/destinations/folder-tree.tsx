import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronRight, Folder } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { cx } from "../../../lib/cx";
import { type CloudFolder, foldersQuery } from "./destinations.queries";

const ITEM =
  "flex min-h-8 touch:min-h-10 cursor-pointer flex-wrap items-center gap-1.5 rounded-md pr-2 -outline-offset-2!";

type FolderTreeProps = {
  destinationId: number;
  chosen: string | undefined;
  onChoose: (folder: CloudFolder) => void;
};

/** The folders of a drive. The arrow keys move, open and close; Enter or Space chooses. */
export function FolderTree(props: FolderTreeProps) {
  const { t } = useTranslation("destinations");
  const tree = useRef<HTMLDivElement>(null);
  const query = useInfiniteQuery(foldersQuery(props.destinationId, undefined));
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !(event.target instanceof HTMLElement)) return;
    event.preventDefault();
    const items = [...(tree.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])];
    items[items.indexOf(event.target) + step]?.focus();
  };
  if (!query.data)
    return <QueryPlaceholder query={query} failed={t("folder.loadFailed")} rowClass="h-8" rows={3} />;
  if (query.data.length === 0 && !query.hasNextPage)
    return <p className="text-ink-soft">{t("folder.empty")}</p>;
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
      <MoreItem query={query} level={1} isFirst={query.data.length === 0} />
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
  const query = useInfiniteQuery({ ...foldersQuery(tree.destinationId, folder.id), enabled: open });
  const isChosen = tree.chosen === folder.id;
  const isLeaf = query.data?.length === 0 && !query.hasNextPage;
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
        className={cx(ITEM, isChosen ? "bg-accent-soft text-accent-text" : "hover:bg-hover")}
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
      {open && <MoreItem query={query} level={level + 1} />}
    </>
  );
}

type MoreItemProps = Pick<FolderItemProps, "level" | "isFirst"> & {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
};

/** The last item of a folder that has more folders than were read. */
function MoreItem({ query, level, isFirst = false }: MoreItemProps) {
  const { t } = useTranslation("destinations");
  if (!query.hasNextPage) return null;
  const load = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    // The next ones follow it.
    (currentTarget.previousElementSibling as HTMLElement | null)?.focus();
    query.fetchNextPage();
  };
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={false}
      aria-busy={query.isFetchingNextPage}
      tabIndex={isFirst ? 0 : -1}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") parentOf(event.currentTarget, level)?.focus();
        else if (event.key === "Enter" || event.key === " ") load(event);
        else return;
        event.preventDefault();
      }}
      onClick={load}
      className={cx(ITEM, "text-accent hover:bg-hover")}
      // Below the names.
      style={{ paddingLeft: `${(level - 1) * 1.25 + 3.5}rem` }}
    >
      {t("log.more")}
    </div>
  );
}

/** The item of the folder that an item's is in. */
function parentOf(item: Element, level: number): HTMLElement | undefined {
  for (let before = item.previousElementSibling; before; before = before.previousElementSibling)
    if (Number(before.getAttribute("aria-level")) < level) return before as HTMLElement;
}
