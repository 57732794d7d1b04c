import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { MoreButton, QueryPlaceholder } from "../../components/ui/query-placeholder";
import { Segmented } from "../../components/ui/segmented";
import { EXPIRING_WITHIN, useExpiring } from "./expiring.queries";
import { ExpiringDocuments } from "./expiring-documents";

type Window = `${(typeof EXPIRING_WITHIN)[number]}`;

type ExpiringTabProps = { workspaceId: number; mayEdit: boolean };

/** The documents that expire within so many days, or have, with Stop and Change date. */
export function ExpiringTab({ workspaceId, mayEdit }: ExpiringTabProps) {
  const { t } = useTranslation(["questions", "contacts"]);
  const [days, setDays] = useState<Window>("30");
  const query = useExpiring(workspaceId, Number(days));
  const navigate = useNavigate();
  const { data: documents } = query;
  return (
    <>
      <Segmented<Window>
        legend={t("validity.within")}
        value={days}
        onChange={setDays}
        choices={EXPIRING_WITHIN.map((count) => ({
          value: `${count}`,
          label: t("validity.days", { count }),
        }))}
        className="mb-4"
      />
      {!documents && <QueryPlaceholder query={query} failed={t("validity.loadFailed")} rowClass="h-14" />}
      {documents?.length === 0 && <p className="text-ink-soft">{t("validity.none")}</p>}
      {documents && documents.length > 0 && (
        <ExpiringDocuments
          label={t("validity.title")}
          documents={documents}
          workspaceId={workspaceId}
          mayChange={mayEdit}
          withRecipient
          onOpen={(envelope) => void navigate({ to: "/", search: { envelope } })}
        />
      )}
      <MoreButton query={query} label={t("contacts:page.more")} className="mt-3 w-fit" />
    </>
  );
}
