import { valibotResolver } from "@hookform/resolvers/valibot";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { use, useEffect, useRef } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { brandShades } from "../../../../worker/contract/brand-colors";
import { LIMITS } from "../../../../worker/contract/limits";
import { isHexColor } from "../../../../worker/contract/patterns";
import { MailFrame } from "../../../components/mail-frame";
import { PreviewLook } from "../../../components/preview-look";
import { RecipientPage } from "../../../components/recipient-page";
import { Button } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { Input, Textarea } from "../../../components/ui/input";
import { Switch } from "../../../components/ui/switch";
import { WhenNear } from "../../../components/ui/when-near";
import { api, json } from "../../../lib/api";
import { focusSection } from "../../../lib/focus";
import {
  changedValues,
  hasField,
  matchesOrBlank,
  messageKey,
  optionalText,
  showSaved,
  showServerIssues,
  textValues,
  useFieldError,
  useRestoredInput,
} from "../../../lib/form";
import { useDelayed } from "../../../lib/use-url-input";
import { useDraftKey, userQuery } from "../../auth/auth.queries";
import { useChangeLogo, useChangeWorkspace, useRemoveLogo, type Workspace } from "../workspaces.queries";

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
    const sent = form.getValues();
    const { brandName, brandColor, brandFooter } = values;
    const brand = {
      brandName: brandName || null,
      brandColor: brandColor || null,
      brandFooter: brandFooter || null,
    };
    save.mutate(
      { id: workspace.id, ...changedValues(brand, dirtyFields) },
      {
        onSuccess: (saved) => showSaved(form, sent, textValues(brandSchema, saved)),
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
            {brandColor && (
              <Button
                onClick={(event) => {
                  setColor("");
                  focusSection(event);
                }}
              >
                {t("branding.standard")}
              </Button>
            )}
          </div>
        </Field>
        <Field
          label={t("branding.footer")}
          hint={t("branding.footerHint")}
          error={fieldError(errors.brandFooter)}
        >
          <Textarea rows={3} maxLength={LIMITS.brandFooter} {...register("brandFooter")} />
        </Field>
        <Button type="submit" variant="primary" loading={save.isPending} className="self-start">
          {t("common:saveChanges")}
        </Button>
        <WhenNear>
          <BrandingPreview
            workspace={workspace}
            brand={{ brandName: brandName ?? "", brandColor: color ?? "", brandFooter: brandFooter ?? "" }}
          />
        </WhenNear>
      </form>
    </div>
  );
}

const logoUrl = ({ id, updatedAt }: Workspace) =>
  `/api/workspaces/${id}/logo?at=${encodeURIComponent(updatedAt)}`;

/** Takes effect at once, without the form. */
function Logo({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation("workspace");
  const change = useChangeLogo(workspace.id);
  const remove = useRemoveLogo(workspace.id);
  const save = useChangeWorkspace("workspace:branding.saved");
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
          <Button
            loading={remove.isPending}
            onClick={(event) => {
              remove.mutate();
              focusSection(event);
            }}
          >
            {t("branding.removeLogo")}
          </Button>
        )}
      </div>
      <p className="text-ink-soft text-xs">{t("branding.logoHint")}</p>
      {workspace.logo && (
        <p className="text-ink-soft text-xs">{t(`branding.plate.${workspace.logoReadableOn ?? "none"}`)}</p>
      )}
      {workspace.logo && (
        <Switch
          label={t("branding.logoHasName")}
          checked={workspace.logoHasName}
          disabled={save.isPending}
          onChange={(logoHasName) => save.mutate({ id: workspace.id, logoHasName })}
          className="mt-1.5"
        />
      )}
    </fieldset>
  );
}

const STANDARD_COLOR = "#1a56a4";

const THEMES = ["light", "dark"] as const;

/** What is typed. */
type TypedBrand = Record<"brandName" | "brandColor" | "brandFooter", string>;

/** The page of a link and the mail that leads there, as recipients see them, and the shades of the colour. */
function BrandingPreview({ workspace, brand }: { workspace: Workspace; brand: TypedBrand }) {
  const { t } = useTranslation(["workspace", "common"]);
  const Page = use(RecipientPage);
  const { data: user } = useQuery(userQuery);
  const typed: TypedBrand = JSON.parse(useDelayed(JSON.stringify(brand)));
  const { data } = useQuery({
    queryKey: ["brandPreview", workspace.id, workspace.updatedAt, typed],
    queryFn: () =>
      json(
        api.requests.preview.$post({
          query: { kind: "invitation", ...typed },
          json: {
            isDraft: true,
            workspaceId: workspace.id,
            recipientName: t("fileNames.fields.recipient"),
            recipientEmail: user?.email ?? "",
            subject: t("branding.sample.subject"),
            documents: [{ name: t("fileNames.sample.passport") }, { name: t("fileNames.sample.statement") }],
          },
        }),
      ),
    enabled: user !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const { email, page } = data ?? {};
  // Another address after each change, so that a new picture is loaded; none once it is removed, which the preview learns later.
  const logo = workspace.logo && page?.brand?.logo && { ...page.brand.logo, url: logoUrl(workspace) };
  return (
    <section aria-label={t("branding.preview")} className="flex flex-col gap-3">
      {page && email && (
        <PreviewLook>
          {(look) => (
            <div className="flex flex-col gap-4">
              {Page && (
                <Page
                  request={{ ...page, brand: page.brand && { ...page.brand, logo: logo ?? null } }}
                  language={user?.languagePreference ?? "en"}
                  look={look}
                  title={t("branding.page")}
                  failed={t("common:failed.title")}
                />
              )}
              <MailFrame html={email.html} title={t("branding.mail")} look={look} />
            </div>
          )}
        </PreviewLook>
      )}
      {THEMES.map((theme) => {
        const shades = brandShades(brand.brandColor || STANDARD_COLOR, theme);
        return (
          <p key={theme} className="text-ink-soft text-xs">
            {t("common:labelled", {
              label: t(`common:theme.${theme}`),
              value: t("branding.shades", { fill: shades.accent, text: shades.text }),
            })}
          </p>
        );
      })}
    </section>
  );
}
