import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bell, CheckCheck, Download, Link2, Mail, Printer, UserRound } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { csvLine } from "../../../../worker/contract/csv-line";
import { csvSeparator } from "../../../../worker/contract/csv-separator";
import type { EnvelopeRow } from "../../../../worker/contract/envelopes";
import type { Language } from "../../../../worker/contract/options";
import { Button } from "../../../components/ui/button";
import OpenedMenu, { type MenuEntry } from "../../../components/ui/opened-menu";
import { QueryPlaceholder, type RetryableQuery } from "../../../components/ui/query-placeholder";
import { useMore } from "../../../lib/read-pages";
import { startDownload } from "../../../lib/start-download";
import { useFormat } from "../../../lib/use-format";
import { useMediaQuery } from "../../../lib/use-media-query";
import type { Member } from "../../workspaces/members/members.queries";
import type { DocumentsOf } from "../bulk/bulk-actions";
import BulkDialog from "../bulk/bulk-dialog";
import { SELECTED_MAX, useSelection } from "../bulk/select-row";
import { SelectionActions } from "../bulk/selection-actions";
import type { RowActionHandlers } from "../envelope-row";
import type { ListOf } from "../envelopes.queries";
import { boardQuery } from "./board.queries";
import { BoardGrid, type BoardWords } from "./board-grid";
import { BoardList } from "./board-list";
import {
  asRow,
  type CellState,
  COLUMNS_MAX,
  type Column,
  cellIn,
  clientOf,
  columnsOf,
  isOwed,
  type Line,
  linesOf,
  type Total,
  totalOf,
} from "./board-model";
import { BoardSheet } from "./board-sheet";
import { LOOKS } from "./cell-state";

type BoardProps = {
  list: ListOf;
  members: readonly Member[] | undefined;
  handlers: RowActionHandlers;
};

type Bulk = {
  action: "remind" | "assign" | "accept";
  envelopes: readonly EnvelopeRow[];
  documentIds?: DocumentsOf;
};
type Menu = { label: string; title: string; button: HTMLElement; entries: MenuEntry[] };

const NONE: readonly Line[] = [];

/** Who owes what: the clients of a list down, their documents across. */
export default function Board({ list, members, handlers }: BoardProps) {
  const { t, i18n } = useTranslation(["board", "envelopes", "common"]);
  const { mayEdit, onRemind, onCopyLink } = handlers;
  const query = useInfiniteQuery(boardQuery(list));
  const { data, fetchNextPage } = query;
  const more = useMore(query);
  const count = data?.length ?? 0;
  // All of most lists, so that the totals are those of the list.
  useEffect(() => {
    if (count < SELECTED_MAX) more?.();
  }, [count, more]);
  const lines = useMemo(() => (data ? linesOf(data) : NONE), [data]);
  const all = useMemo(() => columnsOf(data ?? []), [data]);
  const columns = useMemo(() => all.slice(0, COLUMNS_MAX), [all]);
  const totals = useMemo(
    () => columns.map((column) => totalOf(lines.map(({ cells }) => cellIn(cells, column)))),
    [columns, lines],
  );
  const rows = useMemo(() => lines.map(asRow), [lines]);
  const { ids, selected, handlers: selection } = useSelection(rows, async () => rows);
  const isNarrow = !useMediaQuery("(min-width: 48rem)");
  const words = useWords();
  const [menu, setMenu] = useState<Menu>();
  const [bulk, setBulk] = useState<Bulk>();
  const [printing, setPrinting] = useState(false);
  const navigate = useNavigate();
  const onOpen = useCallback(
    (envelope: number, document?: number) =>
      void navigate({
        to: "/",
        search: (search) => ({ ...search, envelope, document, from: document ? "board" : undefined }),
        resetScroll: false,
      }),
    [navigate],
  );
  const closeMenu = useCallback(() => setMenu(undefined), []);
  const printed = useCallback(() => setPrinting(false), []);

  const openRowMenu = useCallback(
    (line: Line, button: HTMLElement) => {
      const row = asRow(line);
      const title = clientOf(line, words.noRecipient);
      const isOpen = row.status === "pending";
      const entries = [
        { icon: Mail, label: t("openEnvelope"), onSelect: () => onOpen(row.id) },
        isOpen && { icon: Bell, label: t("envelopes:remind.short"), onSelect: () => onRemind(row) },
        members && {
          icon: UserRound,
          label: t("envelopes:bulk.assign.action"),
          onSelect: () => setBulk({ action: "assign", envelopes: [row] }),
        },
        isOpen && { icon: Link2, label: t("envelopes:detail.copy"), onSelect: () => onCopyLink(row) },
      ];
      setMenu({
        label: words.actions(title),
        title,
        button,
        entries: entries.filter((entry) => entry !== false && entry !== undefined),
      });
    },
    [words, t, members, onRemind, onCopyLink, onOpen],
  );
  const openColumnMenu = useCallback(
    (column: Column, button: HTMLElement) => {
      const inState = (is: (state: CellState) => boolean) =>
        lines.filter(({ cells }) => is(cellIn(cells, column).state));
      const start = (action: Bulk["action"], some: readonly Line[]) => {
        const ids = some.map(
          ({ row, cells }) => [row.id, [cells.get(column.key)?.document?.id ?? 0]] as const,
        );
        setBulk({ action, envelopes: some.map(asRow), documentIds: new Map(ids) });
      };
      const toReview = inState((state) => state === "toReview");
      const missing = inState((state) => isOwed(state) && state !== "arriving").filter(
        ({ row }) => row.status === "pending",
      );
      setMenu({
        label: column.name,
        title: column.name,
        button,
        entries: [
          {
            icon: CheckCheck,
            label: t("column.accept", { number: toReview.length }),
            onSelect: () => start("accept", toReview),
            disabled: toReview.length === 0,
          },
          {
            icon: Bell,
            label: t("column.ask", { number: missing.length }),
            onSelect: () => start("remind", missing),
            disabled: missing.length === 0,
          },
        ],
      });
    },
    [t, lines],
  );

  const save = async () => {
    const separator = csvSeparator(i18n.language as Language);
    let read: Pick<typeof query, "data" | "hasNextPage" | "isError"> = query;
    while (read.hasNextPage && !read.isError) read = await fetchNextPage({ cancelRefetch: false });
    const rows = linesOf(read.data ?? []);
    const names = columnsOf(read.data ?? []);
    const head = [t("client"), t("envelopes:columns.subject"), t("envelopes:columns.status")];
    const text = [
      csvLine([...head, ...names.map(({ name }) => name)], separator),
      ...rows.map(({ row, cells }) =>
        csvLine(
          [
            ...[row.recipient ?? "", row.subject ?? "", t(`envelopes:status.${row.status}`)],
            ...names.map((column) => words.states[cellIn(cells, column).state]),
          ],
          separator,
        ),
      ),
    ];
    const url = URL.createObjectURL(new Blob([`\ufeff${text.join("")}`], { type: "text/csv" }));
    startDownload(url, "board.csv");
    URL.revokeObjectURL(url);
  };

  if (!data)
    return (
      <QueryPlaceholder
        query={query as RetryableQuery}
        failed={t("envelopes:failedTitle")}
        rowClass="h-40 w-full"
      />
    );
  if (count === 0) return <p className="py-12 text-center text-ink-soft">{t("envelopes:noResults")}</p>;

  const shared = { lines, columns, words, onOpen };
  const total = words.total(totalOf(lines.flatMap(({ cells }) => [...cells.values()]))).join(" · ");
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 font-medium tabular-nums">{total}</p>
        <Button size="sm" onClick={() => void save()}>
          <Download aria-hidden />
          {t("csv")}
        </Button>
        <Button size="sm" onClick={() => setPrinting(true)} className="max-md:hidden">
          <Printer aria-hidden />
          {t("print")}
        </Button>
      </div>
      {isNarrow ? (
        <BoardList {...shared} />
      ) : (
        <>
          <BoardGrid
            {...shared}
            hidden={all.length - columns.length}
            totals={totals}
            selected={ids}
            onRowMenu={mayEdit ? openRowMenu : undefined}
            onColumnMenu={mayEdit ? openColumnMenu : undefined}
            selection={selection}
            onMore={more}
          />
          <ul aria-hidden className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-ink-soft text-xs">
            {Object.entries(LOOKS).map(([state, { icon: Icon, className }]) => (
              <li key={state} className="inline-flex items-center gap-1.5">
                <span className={`inline-flex size-5 items-center justify-center rounded-md ${className}`}>
                  <Icon className="size-3.5" />
                </span>
                <span>{words.states[state as CellState]}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <SelectionActions selected={selected} count={count} members={members} onClear={selection.onClear} />
      {menu && <OpenedMenu {...menu} onClose={closeMenu} />}
      {bulk && <BulkDialog {...bulk} members={members} onClose={() => setBulk(undefined)} />}
      {printing && <BoardSheet {...shared} totals={totals} total={total} onPrinted={printed} />}
    </>
  );
}

/** Stable while the language stays, so that no row renders again. */
function useWords(): BoardWords {
  const { t } = useTranslation(["board", "envelopes", "common"]);
  const format = useFormat();
  return useMemo(() => {
    const states = Object.keys(LOOKS) as CellState[];
    return {
      states: Object.fromEntries(
        states.map((state) => [state, t(`states.${state}`)]),
      ) as BoardWords["states"],
      total: ({ done, asked, toReview }: Total) =>
        [
          t("total", { done: format.number(done), asked: format.number(asked) }),
          toReview > 0 ? t("toReview", { number: format.number(toReview) }) : "",
        ].filter(Boolean),
      withReason: (label, value) => t("common:labelled", { label, value }),
      noRecipient: t("envelopes:noRecipient"),
      actions: (client) => t("actions", { client }),
    };
  }, [t, format]);
}
