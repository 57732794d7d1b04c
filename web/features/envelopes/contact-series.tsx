import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Repeat } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ListedSeries } from "../../../worker/contract/series";
import { useFormat } from "../../lib/use-format";
import { seriesListQuery } from "./series.queries";

/** What is sent to a contact again and again; nothing if there is none. */
export function ContactSeries({ contactId }: { contactId: number }) {
  const { t } = useTranslation("schedules");
  const format = useFormat();
  const { data: rows = [] } = useQuery(seriesListQuery({ contactId }));
  const whenOf = ({ nextOn, paused }: Pick<ListedSeries, "nextOn" | "paused">) => {
    if (paused) return t("recurring.isPaused");
    return nextOn ? t("recurring.next", { date: format.day(nextOn) }) : t("recurring.ended");
  };
  if (rows.length === 0) return null;
  return (
    <section aria-label={t("recurring.ofContact")} className="my-6">
      <h2 className="mb-2 text-base">{t("recurring.ofContact")}</h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {rows.map(({ id, name, nextOn, paused }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
            <Repeat aria-hidden className="size-4 shrink-0 text-ink-soft" />
            <Link
              to="/schedules"
              search={{ schedules: "recurring" }}
              className="min-w-0 break-words font-medium hover:underline"
            >
              {name}
            </Link>
            <span className="text-ink-soft">{whenOf({ nextOn, paused })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
