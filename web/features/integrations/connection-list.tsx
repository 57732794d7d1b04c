import type { UseMutationResult, UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { ListState } from "./list-state";

type ConnectionListProps<Row> = {
  label: string;
  query: UseQueryResult<Row[]>;
  empty: string;
  failed: string;
  /** The question before a row is removed. */
  removal: {
    title: string;
    text: string;
    detail: (row: Row) => string;
    mutation: UseMutationResult<unknown, Error, number>;
  };
  children: (row: Row, onRemove: () => void) => ReactNode;
};

/** The rows of a section. A removed row takes its button with it, so the list takes the focus. */
export function ConnectionList<Row extends { id: number }>(props: ConnectionListProps<Row>) {
  const { label, query, empty, failed, removal, children } = props;
  const { title, text, detail, mutation } = removal;
  const [removing, setRemoving] = useState<Row>();
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      <ListState query={query} empty={empty} failed={failed}>
        {(rows) => (
          <ul
            ref={list}
            tabIndex={-1}
            aria-label={label}
            className="divide-y divide-line rounded-card border border-line bg-surface outline-none"
          >
            {rows.map((row) => children(row, () => setRemoving(row)))}
          </ul>
        )}
      </ListState>
      <ConfirmDialog
        open={removing !== undefined}
        title={title}
        text={text}
        detail={removing && detail(removing)}
        confirmLabel={title}
        pending={mutation.isPending}
        onCancel={() => setRemoving(undefined)}
        onConfirm={() =>
          removing &&
          mutation.mutate(removing.id, {
            onSettled: () => {
              setRemoving(undefined);
              list.current?.focus({ preventScroll: true });
            },
          })
        }
      />
    </>
  );
}
