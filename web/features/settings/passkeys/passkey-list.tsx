import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { lazyComponent } from "../../../components/ui/lazy-component";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { useFormat } from "../../../lib/use-format";
import { ProvedOnly } from "../proved-only";
import { AddPasskey } from "./add-passkey";
import { type Passkey, passkeysQuery, useRemovePasskey, useRenamePasskey } from "./passkeys.queries";

const PasskeyNameDialog = lazyComponent(() => import("./passkey-name-dialog"));

/** The account's passkeys: adding, renaming and removing them. */
export function PasskeyList() {
  const { t } = useTranslation(["security", "profile", "errors"]);
  const query = useQuery(passkeysQuery);
  const rename = useRenamePasskey();
  const remove = useRemovePasskey();
  const list = useRef<HTMLUListElement>(null);
  const [renaming, setRenaming] = useState<Passkey>();
  const [removing, setRemoving] = useState<Passkey>();
  const { data } = query;
  if (!data) return <QueryPlaceholder query={query} failed={t("passkeys.loadFailed")} rowClass="h-12" />;
  return (
    <div className="flex flex-col items-start gap-4">
      {data.length > 0 && (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={t("passkeys.title")}
          className="-my-3 w-full divide-y divide-line outline-none"
        >
          {data.map((passkey) => (
            <PasskeyItem
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenaming(passkey)}
              onRemove={() => setRemoving(passkey)}
            />
          ))}
        </ul>
      )}
      <ProvedOnly>
        <AddPasskey full={data.length >= LIMITS.passkeysPerAccount} />
      </ProvedOnly>
      {renaming && (
        <PasskeyNameDialog
          title={t("passkeys.renameTitle")}
          name={renaming.name}
          submitLabel={t("passkeys.save")}
          pending={rename.isPending}
          onName={(name) =>
            rename.mutate({ id: renaming.id, name }, { onSuccess: () => setRenaming(undefined) })
          }
          onClose={() => setRenaming(undefined)}
        />
      )}
      <ConfirmDialog
        open={removing !== undefined}
        title={t("passkeys.removeTitle")}
        text={t("passkeys.removeText")}
        detail={removing?.name}
        confirmLabel={t("passkeys.remove")}
        pending={remove.isPending}
        onCancel={() => setRemoving(undefined)}
        onConfirm={() =>
          removing &&
          remove.mutate(removing.id, {
            onSettled: () => {
              setRemoving(undefined);
              list.current?.focus({ preventScroll: true });
            },
          })
        }
      />
    </div>
  );
}

type PasskeyItemProps = { passkey: Passkey; onRename: () => void; onRemove: () => void };

function PasskeyItem({ passkey, onRename, onRemove }: PasskeyItemProps) {
  const { t } = useTranslation("security");
  const format = useFormat();
  const { name, createdAt, lastUsedAt, backedUp } = passkey;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-40 flex-1">
        <p className="break-words font-medium">{name}</p>
        <p className="break-words text-ink-soft text-xs">
          {t("passkeys.created", { date: format.date(createdAt) })} ·{" "}
          {lastUsedAt ? t("passkeys.lastUsed", { when: format.when(lastUsedAt) }) : t("passkeys.neverUsed")}
        </p>
        <p className="text-ink-soft text-xs">{t(backedUp ? "passkeys.backedUp" : "passkeys.deviceOnly")}</p>
      </div>
      <Button size="sm" aria-label={t("passkeys.renameNamed", { name })} onClick={onRename}>
        {t("passkeys.rename")}
      </Button>
      <Button size="sm" aria-label={t("passkeys.removeNamed", { name })} onClick={onRemove}>
        {t("passkeys.remove")}
      </Button>
    </li>
  );
}
