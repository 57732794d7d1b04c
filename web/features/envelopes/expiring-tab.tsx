import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CirclePause } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { EmptyNote } from "../../components/ui/empty-note";
import { Notice } from "../../components/ui/notice";
import { MoreButton, QueryPlaceholder } from "../../components/ui/query-placeholder";
import { Segmented } from "../../components/ui/segmented";
import { EXPIRING_WITHIN, expiringQuery, useExpiring, useResumeRenewals } from "./expiring.queries";
import { ExpiringDocuments } from "./expiring-documents";

type Window = `${(typeof EXPIRING_WITHIN)[number]}`;

/** The documents that expire within so many days, or have, with Stop and Change date. */
export function ExpiringTab({ workspaceId, mayEdit }: { workspaceId: number; mayEdit: boolean }) {
  const { t } = useTranslation(["questions", "contacts"]);
  const [days, setDays] = useState<Window>("30");
  const query = useExpiring(workspaceId, Number(days));
  const navigate = useNavigate();
  const { data: documents } = query;
  return (
    <>
      {mayEdit && <Paused workspaceId={workspaceId} />}
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
      {documents?.length === 0 && <EmptyNote>{t("validity.none")}</EmptyNote>}
      {documents && documents.length > 0 && (
        <ExpiringDocuments
          label={t("validity.title")}
          documents={documents}
          mayChange={mayEdit}
          withRecipient
          onOpen={(envelope) => void navigate({ to: "/", search: { envelope } })}
        />
      )}
      <MoreButton query={query} label={t("contacts:page.more")} className="mt-3 w-fit" />
    </>
  );
}

/** That an import, or a reset of a password, has paused what asks again, and the way to go on. */
function Paused({ workspaceId }: { workspaceId: number }) {
  const { t } = useTranslation("questions");
  const resume = useResumeRenewals(workspaceId);
  const { data: paused = [] } = useInfiniteQuery(expiringQuery({ workspaceId, paused: "1" }));
  if (paused.length === 0) return null;
  return (
    <Notice
      icon={CirclePause}
      title={t("validity.pausedTitle")}
      action={
        <Button loading={resume.isPending} onClick={() => resume.mutate()}>
          {t("validity.goOn")}
        </Button>
      }
    >
      <p>{t("validity.pausedText")}</p>
    </Notice>
  );
}
