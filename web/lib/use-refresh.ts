import { type InvalidateQueryFilters, useQueryClient } from "@tanstack/react-query";

/** For a mutation's `onSuccess` or `onSettled`: loads these queries again, until when the mutation is pending. */
export function useRefresh(filters: InvalidateQueryFilters): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries(filters);
}
