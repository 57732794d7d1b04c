import { useInfiniteQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { ACCOUNT_WAYS, type AccountWay, AUDIT_ACTIONS } from "../../../worker/contract/audit-actions";
import { LIMITS } from "../../../worker/contract/limits";
import { SECOND_FACTORS } from "../../../worker/contract/options";
import { NO_QUOTA } from "../../../worker/contract/quotas";
import { buttonClass } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { DateInput, Input, NativeSelect } from "../../components/ui/input";
import { MoreButton } from "../../components/ui/query-placeholder";
import { Separated } from "../../components/ui/separated";
import { useFormat } from "../../lib/use-format";
import { type AuditEntry, type AuditFilter, auditCsvUrl, auditQuery } from "./administration.queries";
import { Section, SectionPlaceholder } from "./section";

const EVERYTHING: AuditFilter = { action: "", person: "", from: "", to: "" };

/** What administrators and commands have done, the latest first. */
export function AuditSection() {
  const { t } = useTranslation("administration");
  const [filter, setFilter] = useState(EVERYTHING);
  const query = useInfiniteQuery(auditQuery(useDeferredValue(filter)));
  const { data: rows } = query;
  const filtered = Object.values(filter).some(Boolean);
  return (
    <Section title={t("audit.title")} text={t("audit.text")}>
      <Filter filter={filter} onChange={(changes) => setFilter({ ...filter, ...changes })} />
      {!rows && <SectionPlaceholder query={query} />}
      {rows?.length === 0 && <p className="text-ink-soft">{t(filtered ? "audit.none" : "audit.empty")}</p>}
      {rows && rows.length > 0 && (
        <ol className="divide-y divide-line rounded-card border border-line bg-surface px-4">
          {rows.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      <MoreButton query={query} label={t("more")} className="mt-3" />
    </Section>
  );
}

type FilterProps = { filter: AuditFilter; onChange: (changes: Partial<AuditFilter>) => void };

/** Narrows the log, and downloads what it shows. */
function Filter({ filter, onChange }: FilterProps) {
  const { t } = useTranslation("administration");
  const actions = AUDIT_ACTIONS.map((value) => ({ value, label: t(`audit.actions.${value}`) }));
  const any = { value: "", label: t("audit.filter.any") };
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <Field label={t("audit.filter.action")} className="min-w-[min(11rem,100%)] flex-1">
        <NativeSelect
          value={filter.action}
          options={[any, ...actions]}
          onChange={({ target }) => onChange({ action: target.value as AuditFilter["action"] })}
        />
      </Field>
      <Field label={t("audit.filter.person")} className="min-w-[min(11rem,100%)] flex-1">
        <Input
          type="search"
          autoComplete="off"
          maxLength={LIMITS.email}
          value={filter.person}
          onChange={({ target }) => onChange({ person: target.value })}
        />
      </Field>
      {(["from", "to"] as const).map((end) => (
        <Field key={end} label={t(`audit.filter.${end}`)} className="w-40 max-sm:w-48">
          <DateInput
            empty={filter[end] === ""}
            value={filter[end]}
            onChange={({ target }) => onChange({ [end]: target.value })}
          />
        </Field>
      ))}
      <a href={auditCsvUrl(filter)} download className={buttonClass()}>
        <Download aria-hidden />
        {t("audit.csv")}
      </a>
    </div>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation("administration");
  const format = useFormat();
  const { action, subject, address, createdAt, detail } = entry;
  const actor = entry.actor === "command" ? t("audit.command") : entry.actor;
  const { bytes, factor: changed } = detail;
  const factor = SECOND_FACTORS.find((known) => known === changed);
  const way = (Object.keys(ACCOUNT_WAYS) as AccountWay[]).find((known) => known === detail.way);
  const quota =
    bytes === null
      ? t(action === "quota_changed" ? "quota.instance" : "quota.none")
      : bytes === NO_QUOTA
        ? t("quota.none")
        : format.size(Number(bytes ?? 0));
  return (
    <li className="py-2.5">
      <p className="break-words">
        {t(`audit.${action}`, {
          subject,
          quota,
          factor: factor ? t(`audit.factors.${factor}`) : "",
          workspace: detail.workspace,
        })}
      </p>
      <p className="text-ink-soft text-xs [overflow-wrap:anywhere]">
        <Separated>
          {actor}
          {address}
          {way && t(`audit.ways.${way}`, { invitedBy: detail.invitedBy })}
          {format.dateTime(createdAt)}
        </Separated>
      </p>
    </li>
  );
}
