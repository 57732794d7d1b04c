import { valibotResolver } from "@hookform/resolvers/valibot";
import { useEffect, useRef } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../../worker/contract/limits";
import { isHexColor } from "../../../../worker/contract/patterns";
import { Button } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { Input, Textarea } from "../../../components/ui/input";
import {
  changedValues,
  hasField,
  matchesOrBlank,
  messageKey,
  optionalText,
  showServerIssues,
  textValues,
  useFieldError,
  useRestoredInput,
} from "../../../lib/form";
import { useDraftKey } from "../../auth/auth.queries";
import { useChangeLogo, useChangeWorkspace, useRemoveLogo, type Workspace } from "../workspaces.queries";
import { BrandingPreview, STANDARD_COLOR } from "./branding-preview";

const brandSchema = v.object({
  brandName: optionalText(LIMITS.brandName),
  brandColor: matchesOrBlank(isHexColor, messageKey("invalidColor")),
  brandFooter: optionalText(LIMITS.brandFooter),
});

type BrandingSettingsProps = { workspace: Workspace; onDirty: (dirty: boolean) => void };

/** How recipients see the workspace, with a preview of what is typed. */
export function BrandingSettings({ workspace, onDirty }: BrandingSettingsProps) {
  const { t } = useTranslation(["workspace", "common", "validation"]);
  const fieldError = useFieldError();
  const save = useChangeWorkspace("workspace:branding.saved");
  const form = useForm({
    resolver: valibotResolver(brandSchema),
    defaultValues: textValues(brandSchema, workspace),
  });
  const { register, setValue, formState } = form;
  const { isDirty, dirtyFields, errors } = formState;
  const { brandName, brandColor, brandFooter } = useWatch({ control: form.control });
  useRestoredInput(form, isDirty, useDraftKey("branding", workspace.id));
  useEffect(() => onDirty(isDirty), [onDirty, isDirty]);
  const submit = form.handleSubmit((values) => {
    const { brandName, brandColor, brandFooter } = values;
    const brand = {
      brandName: brandName || null,
      brandColor: brandColor || null,
      brandFooter: brandFooter || null,
    };
    save.mutate(
      { id: workspace.id, ...changedValues(brand, dirtyFields) },
      {
        onSuccess: (saved) => form.reset(textValues(brandSchema, saved)),
        onError: (error) => showServerIssues(error, form.setError, hasField(brandSchema)),
      },
    );
  });
  const color = brandColor && isHexColor(brandColor) ? brandColor : null;
  const setColor = (value: string) =>
    setValue("brandColor", value, { shouldDirty: true, shouldValidate: true });
  return (
    <div className="flex flex-col gap-6">
      <Logo workspace={workspace} />
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t("branding.name")} hint={t("branding.nameHint")} error={fieldError(errors.brandName)}>
          <Input maxLength={LIMITS.brandName} autoComplete="off" {...register("brandName")} />
        </Field>
        <Field
          label={t("branding.color")}
          hint={t("branding.colorHint")}
          error={fieldError(errors.brandColor)}
        >
          <div className="flex flex-wrap items-center gap-2">
            <input
              type="color"
              aria-label={t("branding.chooseColor")}
              value={color ?? STANDARD_COLOR}
              onChange={(event) => setColor(event.target.value)}
              className="h-9 touch:h-10 w-12 shrink-0 cursor-pointer rounded-control border border-line-strong bg-surface p-1"
            />
            <Input
              className="max-w-32"
              autoComplete="off"
              spellCheck={false}
              maxLength={7}
              placeholder={STANDARD_COLOR}
              {...register("brandColor")}
            />
            {brandColor && <Button onClick={() => setColor("")}>{t("branding.standard")}</Button>}
          </div>
        </Field>
        <Field
          label={t("branding.footer")}
          hint={t("branding.footerHint")}
          error={fieldError(errors.brandFooter)}
        >
          <Textarea rows={3} maxLength={LIMITS.brandFooter} {...register("brandFooter")} />
        </Field>
        <BrandingPreview
          name={brandName?.trim() ?? ""}
          color={color}
          footer={brandFooter?.trim() ?? ""}
          logo={logoOf(workspace)}
        />
        <Button type="submit" variant="primary" loading={save.isPending} className="self-start">
          {t("common:saveChanges")}
        </Button>
      </form>
    </div>
  );
}

/** The stored logo; the address changes with the workspace, so that a new picture is loaded. */
const logoOf = ({ id, logo, updatedAt }: Workspace) =>
  logo && { ...logo, url: `/api/workspaces/${id}/logo?at=${encodeURIComponent(updatedAt)}` };

/** Takes effect at once, without the form. */
function Logo({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation("workspace");
  const change = useChangeLogo(workspace.id);
  const remove = useRemoveLogo(workspace.id);
  const input = useRef<HTMLInputElement>(null);
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-ink text-sm">{t("branding.logo")}</legend>
      <div className="flex flex-wrap gap-2">
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-label={t("branding.chooseLogo")}
          hidden
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) change.mutate(file);
            // Lets the same file be chosen again.
            target.value = "";
          }}
        />
        <Button loading={change.isPending} onClick={() => input.current?.click()}>
          {t(workspace.logo ? "branding.replaceLogo" : "branding.chooseLogo")}
        </Button>
        {workspace.logo && (
          <Button loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("branding.removeLogo")}
          </Button>
        )}
      </div>
      <p className="text-ink-soft text-xs">{t("branding.logoHint")}</p>
    </fieldset>
  );
}
