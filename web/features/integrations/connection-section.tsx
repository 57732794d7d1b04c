import type { UseMutationResult, UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { EmptyNote } from "../../components/ui/empty-note";
import { QueryPlaceholder } from "../../components/ui/query-placeholder";

type ConnectionSectionProps = {
  id: string;
  title: string;
  text: ReactNode;
  action?: ReactNode;
  children: ReactNode;
};

/** A section with its purpose and its action. */
export function ConnectionSection({ id, title, text, action, children }: ConnectionSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="not-first-of-type:mt-10 not-first-of-type:border-line not-first-of-type:border-t not-first-of-type:pt-8"
    >
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 max-w-2xl flex-1 basis-64">
          <h2 id={`${id}-title`} className="text-lg">
            {title}
          </h2>
          <p className="mt-1 break-words text-ink-soft">{text}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

type ListStateProps<Row> = {
  query: UseQueryResult<Row[]>;
  /** Shown if the list is empty. */
  empty: string;
  failed: string;
  children: (rows: Row[]) => ReactNode;
};

/** A list in its states: loading, failed, empty, or its rows. */
export function ListState<Row>({ query, empty, failed, children }: ListStateProps<Row>) {
  const { data } = query;
  if (!data) return <QueryPlaceholder query={query} failed={failed} rowClass="h-14" />;
  return data.length === 0 ? <EmptyNote>{empty}</EmptyNote> : children(data);
}

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
