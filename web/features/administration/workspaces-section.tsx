import { useInfiniteQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { MoreButton } from "../../components/ui/query-placeholder";
import { Separated } from "../../components/ui/separated";
import { useFormat } from "../../lib/use-format";
import {
  bytesOfLimit,
  megabytesOf,
  useSetWorkspaceQuota,
  type WorkspaceUse,
  workspacesQuery,
} from "./administration.queries";
import { Section, SectionPlaceholder } from "./section";

/** What each workspace stores, whoever it belongs to, and its limit. */
export function WorkspacesSection() {
  const { t } = useTranslation("administration");
  const query = useInfiniteQuery(workspacesQuery);
  return (
    <Section title={t("workspaces.title")} text={t("workspaces.text")}>
      {query.data ? (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface px-4">
          {query.data.map((workspace) => (
            <WorkspaceRow key={`${workspace.id} ${workspace.storageQuota}`} workspace={workspace} />
          ))}
        </ul>
      ) : (
        <SectionPlaceholder query={query} />
      )}
      <MoreButton query={query} label={t("more")} className="mt-3" />
    </Section>
  );
}

function WorkspaceRow({ workspace }: { workspace: WorkspaceUse }) {
  const { t } = useTranslation("administration");
  const format = useFormat();
  const save = useSetWorkspaceQuota();
  const { id, name, owner, members, envelopes, storageBytes, storageQuota } = workspace;
  const before = storageQuota === null ? "" : megabytesOf(storageQuota);
  const [typed, setTyped] = useState(before);
  const bytes = typed === "" ? null : bytesOfLimit(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (bytes !== undefined) save.mutate({ id, bytes });
  };
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-[min(14rem,100%)] flex-1">
        <p className="break-words font-medium">{name}</p>
        <p className="text-ink-soft text-xs [overflow-wrap:anywhere]">
          <Separated>
            {owner}
            {t("workspaces.members", { members: format.number(members) })}
            {t("workspaces.envelopes", { envelopes: format.number(envelopes) })}
            {format.size(storageBytes)}
          </Separated>
        </p>
      </div>
      <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-2">
        <Field
          label={t("workspaces.limit", { name })}
          hiddenLabel
          error={bytes === undefined ? t("quota.invalid") : undefined}
          className="w-36"
        >
          <Input
            inputMode="numeric"
            value={typed}
            placeholder={t("quota.none")}
            onChange={({ target }) => setTyped(target.value.trim())}
          />
        </Field>
        <span aria-hidden className="self-center text-ink-soft">
          {t("quota.megabytes")}
        </span>
        <Button type="submit" loading={save.isPending} disabled={bytes === undefined || typed === before}>
          {t("quota.submit")}
        </Button>
      </form>
    </li>
  );
}
