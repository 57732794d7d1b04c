import { valibotResolver } from "@hookform/resolvers/valibot";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import type { Brand } from "../../../../worker/contract/brand";
import { type BrandShades, brandShades } from "../../../../worker/contract/brand-colors";
import { LIMITS } from "../../../../worker/contract/limits";
import { shownLogoSize } from "../../../../worker/contract/logo-size";
import { isHexColor } from "../../../../worker/contract/patterns";
import { PRODUCT_NAME } from "../../../../worker/contract/product";
import { MailFrame } from "../../../components/mail-frame";
import { PreviewLook } from "../../../components/preview-look";
import { Button } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { Input, Textarea } from "../../../components/ui/input";
import { LogoMark } from "../../../components/ui/logo";
import { Segmented } from "../../../components/ui/segmented";
import { Switch } from "../../../components/ui/switch";
import { api, json } from "../../../lib/api";
import { cx } from "../../../lib/cx";
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
        <BrandingPreview
          name={brandName?.trim() ?? ""}
          color={color}
          footer={brandFooter?.trim() ?? ""}
          logo={logoOf(workspace)}
        />
        <MailPreview
          workspace={workspace}
          brand={{ brandName: brandName ?? "", brandColor: color ?? "", brandFooter: brandFooter ?? "" }}
        />
        <Button type="submit" variant="primary" loading={save.isPending} className="self-start">
          {t("common:saveChanges")}
        </Button>
      </form>
    </div>
  );
}

/** The stored logo; the address changes with the workspace, so that a new picture is loaded. */
const logoOf = ({ id, logo, logoReadableOn: readableOn, logoHasName: hasName, updatedAt }: Workspace) =>
  logo && {
    ...logo,
    readableOn,
    hasName,
    url: `/api/workspaces/${id}/logo?at=${encodeURIComponent(updatedAt)}`,
  };

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
type Theme = (typeof THEMES)[number];

/** The grounds and texts of page and mail, which here do not follow the theme of the app. */
const TONES = {
  light: { paper: "#fbfaf7", surface: "#ffffff", line: "#e0ded8", ink: "#171d26", soft: "#525864" },
  dark: { paper: "#0e1217", surface: "#181c22", line: "#31363d", ink: "#f0eee9", soft: "#aeaba0" },
} satisfies Record<Theme, Record<string, string>>;
const TILE = "#e9e6df";

const BOX = { width: 120, height: 32 };

type PreviewedBrand = {
  name: string;
  /** Null for the standard colour. */
  color: string | null;
  footer: string;
  logo: Brand["logo"];
};

const DEVICES = ["desktop", "phone"] as const;
type Device = (typeof DEVICES)[number];

/** An invitation as the server writes it, with what is typed. */
function MailPreview({ workspace, brand }: { workspace: Workspace; brand: MailBrand }) {
  const { t } = useTranslation("workspace");
  const { data: user } = useQuery(userQuery);
  const typed: MailBrand = JSON.parse(useDelayed(JSON.stringify(brand)));
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
  const html = data?.email?.html;
  return (
    html && (
      <section aria-label={t("branding.mail")} className="flex flex-col">
        <PreviewLook>
          {(look) => <MailFrame html={html} title={t("branding.mail")} look={look} />}
        </PreviewLook>
      </section>
    )
  );
}

type MailBrand = Record<"brandName" | "brandColor" | "brandFooter", string>;

/** The link's page in both themes, with the shades that are computed from the colour. */
export function BrandingPreview({ color, ...brand }: PreviewedBrand) {
  const { t } = useTranslation(["workspace", "common"]);
  const [device, setDevice] = useState<Device>("desktop");
  return (
    <section aria-label={t("branding.preview")} className="flex flex-col items-start gap-3">
      <Segmented
        legend={t("branding.preview")}
        value={device}
        onChange={setDevice}
        choices={DEVICES.map((value) => ({ value, label: t(`branding.devices.${value}`) }))}
      />
      <div className="grid w-full gap-3 sm:grid-cols-2">
        {THEMES.map((theme) => {
          const shades = brandShades(color ?? STANDARD_COLOR, theme);
          return (
            <div key={theme} className="flex min-w-0 flex-col gap-3">
              <p className="font-medium text-ink-soft text-xs">{t(`common:theme.${theme}`)}</p>
              <Sample device={device} theme={theme} shades={shades} {...brand} />
              <p className="text-ink-soft text-xs">
                {t("branding.shades", { fill: shades.accent, text: shades.text })}
              </p>
            </div>
          );
        })}
      </div>
    </section>
  );
}

type SampleProps = Omit<PreviewedBrand, "color"> & {
  device: Device;
  theme: Theme;
  shades: BrandShades;
};

function Sample({ device, theme, shades, name, footer, logo }: SampleProps) {
  const { t } = useTranslation("workspace");
  const { paper, surface, line, ink, soft } = TONES[theme];
  const isPhone = device === "phone";
  // As on the page: beside a logo, a phone has no room for it.
  const isNamed = !(logo && (logo.hasName || isPhone));
  const isBare = logo?.readableOn === "both" || logo?.readableOn === theme;
  return (
    <figure className={isPhone ? "max-w-60" : undefined}>
      <figcaption className="mb-1 text-ink-soft text-xs">{t("branding.page")}</figcaption>
      <div
        className="flex flex-col gap-2.5 rounded-control border p-3 text-sm"
        style={{ background: paper, borderColor: line, color: ink }}
      >
        <div className="flex min-w-0 items-center gap-2">
          {logo && (
            <span
              className={cx("min-w-0 shrink-0 rounded-control", !isBare && "px-2 py-1")}
              style={isBare ? {} : { background: TILE }}
            >
              <img src={logo.url} alt={logo.hasName ? name : ""} {...shownLogoSize(logo, BOX)} />
            </span>
          )}
          {!logo && !name && <LogoMark className="size-6" />}
          {isNamed && (
            <span className="line-clamp-2 min-w-0 break-words font-semibold">
              {name || (logo ? "" : PRODUCT_NAME)}
            </span>
          )}
        </div>
        <div
          className="flex flex-col items-start gap-2.5 rounded-control border p-3"
          style={{ background: surface, borderColor: line }}
        >
          <span className="font-semibold">{t("branding.sample.subject")}</span>
          <span
            className={cx("rounded-control px-3 py-1.5 font-medium", isPhone && "w-full text-center")}
            style={{ background: shades.accent, color: shades.ink }}
          >
            {t("branding.sample.button")}
          </span>
          <span style={{ color: shades.text }}>{t("branding.sample.link")}</span>
        </div>
        {footer && (
          <p className="whitespace-pre-line break-words text-xs" style={{ color: soft }}>
            {footer}
          </p>
        )}
      </div>
    </figure>
  );
}
