import { Button } from "./button";

type MoreButtonProps = {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label: string;
  className?: string;
};

/** Below a list that is read a page at a time: loads the next one, if there is one. */
export function MoreButton({ query, label, className }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button className={className} loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
      {label}
    </Button>
  );
}
