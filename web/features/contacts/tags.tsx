import { useQuery } from "@tanstack/react-query";
import { useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { tagsIn, tagsText } from "../../../worker/contract/contact-tags";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { useFieldError } from "../../lib/form";
import { useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { tagsQuery } from "./contacts.queries";

/** As many as fit into a form. */
const OFFERED = 12;

/** The tags of the form around it, with those of the workspace to choose from. */
export function TagsField({ label }: { label?: string }) {
  const { t } = useTranslation("contacts");
  const fieldError = useFieldError();
  const workspace = useSelectedWorkspace();
  const { register, setValue, formState } = useFormContext<{ tags: string }>();
  const tags = tagsIn(useWatch<{ tags: string }>({ name: "tags" }) ?? "");
  const { data: known = [] } = useQuery(tagsQuery(workspace?.id));
  const offered = known.filter(({ name }) => !tags.includes(name)).slice(0, OFFERED);
  return (
    <Field
      label={label ?? t("dialog.tags")}
      hint={t("dialog.tagsHint")}
      error={fieldError(formState.errors.tags)}
      className="sm:col-span-2"
    >
      <Input autoComplete="off" {...register("tags")} />
      {offered.length > 0 && (
        <div className="flex flex-wrap gap-1">
          {offered.map(({ name }) => (
            <Button
              key={name}
              size="sm"
              className="max-w-full"
              aria-label={t("dialog.addTag", { name })}
              onClick={() =>
                setValue("tags", tagsText([...tags, name]), { shouldDirty: true, shouldValidate: true })
              }
            >
              <span className="truncate">{name}</span>
            </Button>
          ))}
        </div>
      )}
    </Field>
  );
}

/** The tags of a contact; nothing without any. */
export function Tags({ tags }: { tags: readonly string[] }) {
  return tags.map((tag) => (
    <Badge key={tag} tone="secondary">
      {tag}
    </Badge>
  ));
}
