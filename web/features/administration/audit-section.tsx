import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { NO_QUOTA } from "../../../worker/contract/quotas";
import { Button } from "../../components/ui/button";
import { useFormat } from "../../lib/use-format";
import { type AuditEntry, auditQuery } from "./administration.queries";
import { Section, SectionPlaceholder } from "./section";

/** What administrators and commands have done, the latest first. */
export function AuditSection() {
  const { t } = useTranslation("administration");
  const query = useInfiniteQuery(auditQuery);
  const rows = query.data?.pages.flatMap((page) => page.rows);
  return (
    <Section title={t("audit.title")} text={t("audit.text")}>
      {!rows && <SectionPlaceholder query={query} />}
      {rows?.length === 0 && <p className="text-ink-soft">{t("audit.empty")}</p>}
      {rows && rows.length > 0 && (
        <ol className="divide-y divide-line rounded-card border border-line bg-surface px-4">
          {rows.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <Button className="mt-3" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          {t("more")}
        </Button>
      )}
    </Section>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation("administration");
  const format = useFormat();
  const { action, subject, address, createdAt, detail } = entry;
  const actor = entry.actor === "command" ? t("audit.command") : entry.actor;
  const { bytes } = detail;
  const quota =
    bytes === null
      ? t("quota.instance")
      : bytes === NO_QUOTA
        ? t("quota.none")
        : format.size(Number(bytes ?? 0));
  return (
    <li className="py-2.5">
      <p className="break-words">{t(`audit.${action}`, { subject, quota })}</p>
      <p className="break-words text-ink-soft text-xs">
        {[actor, address, format.dateTime(createdAt)].filter(Boolean).join(" · ")}
      </p>
    </li>
  );
}
