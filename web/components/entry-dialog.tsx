import {
  type InfiniteData,
  type QueryKey,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useState } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { isRecord } from "../../worker/contract/is-record";
import type { ListPage } from "../lib/api";
import type { ShownField } from "../lib/differences";
import { showServerIssues, useRestoredInput } from "../lib/form";
import { useChangedMeanwhile } from "./ui/changed-meanwhile";
import { LoadingDialog } from "./ui/loading-dialog";
import { useUnsavedChanges } from "./ui/unsaved-changes";

type EntryDialogProps<Entry, Key extends QueryKey> = Omit<ComponentProps<typeof LoadingDialog>, "query"> & {
  /** The entry that is edited; absent for a new one. */
  editId: number | undefined;
  /** Loads it, unless a list of its kind has it. */
  single: UseQueryOptions<Entry, Error, Entry, Key>;
  /** The form, with the entry's values or for a new one. */
  children: (entry?: Entry) => ReactNode;
};

/** Takes the entry from a cached list or loads it, then shows its form. */
export function EntryDialog<Entry extends { id: number }, Key extends QueryKey>({
  editId,
  single,
  children,
  ...loading
}: EntryDialogProps<Entry, Key>) {
  const [listed] = useState(useListed<Entry>(single.queryKey[0], editId));
  const query = useQuery({ ...single, enabled: editId !== undefined && !listed, staleTime: 0 });
  if (editId === undefined) return children();
  const entry = listed ?? (query.isFetchedAfterMount ? query.data : undefined);
  return entry ? children(entry) : <LoadingDialog {...loading} query={query} />;
}

/** The entry in one of the cached lists of its kind. */
function useListed<Entry extends { id: number }>(kind: unknown, id: number | undefined): Entry | undefined {
  const lists = useQueryClient().getQueriesData<InfiniteData<ListPage<Entry>>>({
    queryKey: [kind],
    predicate: ({ queryKey }) => isRecord(queryKey[1]),
  });
  const rows = lists.flatMap(([, list]) => list?.pages ?? []).flatMap((page) => page.rows);
  return rows.find((row) => row.id === id);
}

type EntryFormOptions<Values extends FieldValues, Output> = {
  form: UseFormReturn<Values, unknown, Output>;
  /** Under which unsaved input is stored if the session ends. */
  draftKey: string;
  isField: (path: string) => path is Path<Values>;
  readStored: () => Promise<Values>;
  /** The fields of the form and their values, as it shows them. */
  describe: (values: Values) => ShownField[];
  save: (values: Output, callbacks: { onSuccess: () => void; onError: (error: Error) => void }) => void;
  pending: boolean;
  onClose: () => void;
};

/** The form of one entry: guards unsaved input, and asks if somebody else has changed the entry. @returns props of `FormDialog` */
export function useEntryForm<Values extends FieldValues & { updatedAt: string | null }, Output>(
  options: EntryFormOptions<Values, Output>,
) {
  const { form, draftKey, isField, readStored, describe, save, onClose } = options;
  const { isDirty } = form.formState;
  const conflict = useChangedMeanwhile({ form, readStored, describe });
  const pending = options.pending || conflict.reading;
  const guard = useUnsavedChanges(isDirty, pending);
  useRestoredInput(form, isDirty, draftKey);
  const submit = form.handleSubmit((values) =>
    save(values, {
      onSuccess() {
        guard.release();
        onClose();
      },
      onError(error) {
        void conflict.ask(error, () => void submit());
        showServerIssues(error, form.setError, isField);
      },
    }),
  );
  return { form, onSubmit: submit, pending, guard, conflict, onClose };
}
