import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { Field } from "../../components/ui/field";
import { FormDialog } from "../../components/ui/form-dialog";
import { Input, Textarea } from "../../components/ui/input";
import { messageKey, optionalText, showServerIssues } from "../../lib/form";
import { clearDraft, loadDraft, saveDraft } from "../../lib/session-draft";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { useFieldError } from "../../lib/use-field-error";
import { userQuery } from "../auth/auth.queries";
import { useCreateWorkspace } from "./workspaces.queries";

const schema = v.object({
  // Sent as typed, including surrounding white space.
  name: v.pipe(
    v.string(),
    v.check((name) => name.trim() !== "", messageKey("nameRequired")),
    v.maxLength(LIMITS.name, messageKey("tooLong")),
  ),
  description: optionalText(LIMITS.text),
});

type Values = v.InferInput<typeof schema>;

const isField = (path: string): path is keyof Values => path === "name" || path === "description";

/** The input survives closing the dialog, but not Cancel. */
export default function CreateWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["shell", "common", "validation"]);
  const fieldError = useFieldError();
  const create = useCreateWorkspace();
  const draftKey = `workspace ${useQuery(userQuery).data?.id}`;
  const form = useForm({
    resolver: valibotResolver(schema),
    defaultValues: loadDraft(draftKey, { name: "", description: "" }),
  });
  const { errors } = form.formState;
  useCloseOnBack(true, onClose);
  useEffect(
    () =>
      form.subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(draftKey, values) }),
    [form, draftKey],
  );
  const discard = () => {
    clearDraft(draftKey);
    onClose();
  };
  const submit = form.handleSubmit((values) =>
    create.mutate(values, {
      onSuccess: discard,
      onError: (error) => showServerIssues(error, form.setError, isField),
    }),
  );
  return (
    <FormDialog
      onClose={onClose}
      onCancel={discard}
      width="sm"
      title={t("workspace.create")}
      description={t("workspace.createText")}
      submitLabel={t("workspace.submit")}
      pending={create.isPending}
      onSubmit={submit}
    >
      <Field label={t("workspace.name")} required error={fieldError(errors.name)}>
        <Input autoFocus maxLength={LIMITS.name} {...form.register("name")} />
      </Field>
      <Field label={t("workspace.description")} error={fieldError(errors.description)}>
        <Textarea rows={3} maxLength={LIMITS.text} {...form.register("description")} />
      </Field>
    </FormDialog>
  );
}
