import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type DestinationKind, isGranted } from "../../../../worker/contract/destination-kinds";
import { Dialog } from "../../../components/ui/dialog";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import { userQuery } from "../../auth/auth.queries";
import { KIND_ICONS } from "./destination-status";
import { destinationKindsQuery, useConnect } from "./destinations.queries";

/** What the operator sets for a kind. */
const VARIABLES: Partial<Record<DestinationKind, string>> = {
  microsoft: "MICROSOFT_ENTRA_ID_CLIENT_ID, MICROSOFT_ENTRA_ID_CLIENT_SECRET",
  google: "GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET",
  folder: "DELIVERY_DIR",
};

type KindDialogProps = {
  workspaceId: number;
  onChosen: (kind: DestinationKind) => void;
  onClose: () => void;
};

/** The kinds of destinations. Choosing a cloud leads to its sign-in page, any other to the form. */
export function KindDialog({ workspaceId, onChosen, onClose }: KindDialogProps) {
  const { t } = useTranslation("destinations");
  const { data: user } = useQuery(userQuery);
  const query = useQuery(destinationKindsQuery);
  const connect = useConnect(workspaceId);
  useCloseOnBack(true, onClose);
  const all = Object.keys(KIND_ICONS) as DestinationKind[];
  const kinds = all.filter((kind) => kind !== "folder" || user?.isAdministrator);
  return (
    <Dialog onClose={onClose} title={t("add")} description={t("choose")}>
      {query.data ? (
        <ul aria-label={t("choose")} className="space-y-2">
          {kinds.map((kind) => {
            const Icon = KIND_ICONS[kind];
            const available = query.data.kinds.includes(kind);
            return (
              <li key={kind}>
                <button
                  type="button"
                  disabled={!available || connect.isPending}
                  aria-busy={connect.variables?.kind === kind && connect.isPending}
                  onClick={() => (isGranted(kind) ? connect.mutate({ kind }) : onChosen(kind))}
                  className="flex w-full items-center gap-3 rounded-card border border-line-strong p-3 text-left enabled:hover:bg-hover disabled:cursor-not-allowed disabled:bg-sunken"
                >
                  <Icon aria-hidden className="size-5 shrink-0 text-ink-soft" />
                  <span className="min-w-0 flex-1">
                    <span className="block font-medium">{t(`kinds.${kind}.name`)}</span>
                    <span className="block break-words text-ink-soft text-xs">
                      {available ? t(`kinds.${kind}.text`) : t("notSetUp", { variables: VARIABLES[kind] })}
                    </span>
                  </span>
                  {available && <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-soft" />}
                </button>
              </li>
            );
          })}
        </ul>
      ) : (
        <QueryPlaceholder query={query} failed={t("loadFailed")} rowClass="h-14" rows={4} />
      )}
    </Dialog>
  );
}
