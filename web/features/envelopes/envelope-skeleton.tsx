import { useTranslation } from "react-i18next";
import { Skeleton, SkeletonGroup } from "../../components/ui/skeleton";

const ROWS = ["w-64", "w-48", "w-72", "w-56", "w-60"];

/** The list's shape while it loads. */
export function EnvelopeSkeleton() {
  const { t } = useTranslation("envelopes");
  return (
    <SkeletonGroup label={t("loadingList")}>
      <Skeleton className="mb-3 h-9 w-full sm:w-xs" />
      <div className="h-10 border-line border-b" />
      {ROWS.map((width) => (
        <div
          key={width}
          className="flex h-[93px] items-center gap-6 md:h-[77px] xl:h-[61px] border-line border-b px-3"
        >
          <div className="min-w-0 flex-1 space-y-2">
            <Skeleton className={`h-3.5 max-w-full ${width}`} />
            <Skeleton className="h-3 w-36 max-w-full" />
          </div>
          <Skeleton className="hidden h-3.5 w-32 md:block" />
          <Skeleton className="h-6 w-20 rounded-full" />
          <Skeleton className="hidden h-3.5 w-24 sm:block" />
        </div>
      ))}
    </SkeletonGroup>
  );
}
