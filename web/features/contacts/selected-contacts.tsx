import { Download, Send, Tag, Trash2 } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { tagsIn } from "../../../worker/contract/contact-tags";
import { LIMITS } from "../../../worker/contract/limits";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { FormDialog } from "../../components/ui/form-dialog";
import { SelectionBar } from "../../components/ui/selection-bar";
import { toast } from "../../components/ui/toast-store";
import { focusContent } from "../../lib/focus";
import { startDownload } from "../../lib/start-download";
import { useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { type Contact, useChangeTags, useDeleteContacts } from "./contacts.queries";
import { TagsField } from "./tags";

type SelectedContactsProps = {
  selected: readonly Contact[];
  mayEdit: boolean;
  /** Opens the form for several recipients with these. */
  onRequest: (ids: readonly number[]) => void;
  onClear: () => void;
};

/** What can be done with the selected contacts. */
export function SelectedContacts({ selected, mayEdit, onRequest, onClear }: SelectedContactsProps) {
  const { t } = useTranslation(["contacts", "common"]);
  const [dialog, setDialog] = useState<"tags" | "delete" | null>(null);
  const remove = useDeleteContacts();
  const ids = selected.map(({ id }) => id);
  const count = ids.length;
  const changes = [
    ...(count <= LIMITS.recipientsPerBulkSend
      ? [{ label: t("request"), icon: Send, onAct: () => onRequest(ids) }]
      : []),
    { label: t("dialog.tags"), icon: Tag, onAct: () => setDialog("tags") },
  ];
  const deletion = { label: t("common:delete"), icon: Trash2, onAct: () => setDialog("delete") };
  const exported = {
    label: t("export"),
    icon: Download,
    onAct: () => startDownload(`/api/contacts/export.csv?ids=${ids.join(",")}`, ""),
  };
  return (
    <>
      <SelectionBar
        label={t("selected.label")}
        text={t("selected.count", { count })}
        clearLabel={t("selected.clear")}
        onClear={onClear}
        actions={mayEdit ? [...changes, exported, deletion] : [exported]}
      />
      {dialog === "tags" && <TagsDialog selected={selected} onClose={() => setDialog(null)} />}
      <ConfirmDialog
        open={dialog === "delete"}
        title={t("selected.deleteTitle", { count })}
        text={t("selected.deleteText")}
        confirmLabel={t("selected.delete", { count })}
        pending={remove.isPending}
        onConfirm={() =>
          remove.mutate(ids, {
            onSuccess() {
              onClear();
              focusContent();
            },
            onSettled: () => setDialog(null),
          })
        }
        onCancel={() => setDialog(null)}
      />
    </>
  );
}

/** Adds tags to the selected contacts, and removes some of those that they have. */
function TagsDialog({ selected, onClose }: { selected: readonly Contact[]; onClose: () => void }) {
  const { t } = useTranslation(["contacts", "common"]);
  const workspace = useSelectedWorkspace();
  const change = useChangeTags();
  const form = useForm({ defaultValues: { tags: "", removed: [] as string[] } });
  const present = [...new Set(selected.flatMap(({ tags }) => tags))].sort();
  const submit = form.handleSubmit(({ tags, removed }) =>
    change.mutate(
      {
        workspaceId: workspace?.id ?? null,
        ids: selected.map(({ id }) => id),
        ...{ add: tagsIn(tags), remove: removed },
      },
      {
        onSuccess({ full }) {
          onClose();
          if (full > 0) toast({ title: t("selected.full", { count: full }), destructive: true });
        },
      },
    ),
  );
  return (
    <FormDialog
      form={form}
      width="sm"
      title={t("selected.tagsTitle", { count: selected.length })}
      submitLabel={t("common:saveChanges")}
      pending={change.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TagsField label={t("selected.add")} />
      {present.length > 0 && (
        <fieldset>
          <legend className="mb-1.5 font-medium text-sm">{t("selected.remove")}</legend>
          <div className="flex flex-wrap gap-x-4 gap-y-2">
            {present.map((tag) => (
              <label key={tag} className="flex min-w-0 items-center gap-2">
                <input
                  type="checkbox"
                  value={tag}
                  className="size-4 shrink-0"
                  {...form.register("removed")}
                />
                <span className="truncate">{tag}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </FormDialog>
  );
}
