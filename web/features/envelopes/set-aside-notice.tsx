import { useQuery } from "@tanstack/react-query";
import { ShieldQuestion } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { Notice } from "../../components/ui/notice";
import { focusContent } from "../../lib/focus";
import { useFormat } from "../../lib/use-format";
import {
  type SetAside,
  setAsideQuery,
  useDiscardSetAside,
  useKeepSetAside,
} from "../workspaces/workspaces.queries";

/** Asks what to do with each workspace that was made before the account's address was proved. */
export default function SetAsideNotice() {
  const { data = [] } = useQuery(setAsideQuery);
  return data.map((workspace) => <Question key={workspace.id} workspace={workspace} />);
}

function Question({ workspace }: { workspace: SetAside }) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const keep = useKeepSetAside();
  const discard = useDiscardSetAside();
  const [deleting, setDeleting] = useState(false);
  const { id, name, createdAt, envelopes, templates, contacts } = workspace;
  return (
    <Notice
      icon={ShieldQuestion}
      title={t("setAside.title")}
      action={
        <div className="flex flex-wrap gap-2">
          <Button
            loading={keep.isPending}
            aria-label={t("setAside.keepNamed", { name })}
            onClick={() => keep.mutate(id, { onSuccess: focusContent })}
          >
            {t("setAside.keep")}
          </Button>
          <Button
            variant="danger"
            aria-label={t("setAside.deleteNamed", { name })}
            onClick={() => setDeleting(true)}
          >
            {t("setAside.delete")}
          </Button>
        </div>
      }
    >
      <p className="[overflow-wrap:anywhere]">
        {t("setAside.what", { name, date: format.date(createdAt), envelopes, templates, contacts })}
      </p>
      <p className="text-ink-soft">{t("setAside.text")}</p>
      <ConfirmDialog
        open={deleting}
        title={t("setAside.deleteTitle", { name })}
        text={t("setAside.deleteText")}
        confirmLabel={t("setAside.delete")}
        pending={discard.isPending}
        onCancel={() => setDeleting(false)}
        onConfirm={() => discard.mutate(id, { onSuccess: focusContent, onSettled: () => setDeleting(false) })}
      />
    </Notice>
  );
}
