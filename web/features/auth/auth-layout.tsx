import { FileStack, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "#translation";
import { LANGUAGES, type Language } from "../../../worker/contract/options";
import { Button } from "../../components/ui/button";
import { NativeSelect } from "../../components/ui/input";
import { Logo } from "../../components/ui/logo";
import { ThemeSwitcher } from "../../components/ui/theme-switcher";
import { chooseLanguage } from "./translation";

/** At a fixed distance from the top: what comes or goes below must not move what somebody is about to press. */
const CONTENT = "mx-auto w-full max-w-sm lg:pt-[18dvh] lg:pb-8";

type AuthLayoutProps = {
  /** What the page says in place of the product's name and description: a sender's name, or nothing while it is loading. */
  brand?: string | null;
  children: ReactNode;
};

/** The layout of the sign-in pages: the form at the left, a description of the product at the right. */
export function AuthLayout({ brand = null, children }: AuthLayoutProps) {
  const { t } = useTranslation("auth");
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_auto_1fr] lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
      <header className="flex h-13 items-end px-5 sm:px-10">
        {brand === null ? (
          <Logo />
        ) : (
          <p className="min-w-0 truncate pr-24 font-semibold text-lg tracking-tight">{brand}</p>
        )}
        <div className="absolute top-4 right-4 z-10">
          <ThemeSwitcher compact />
        </div>
      </header>
      <aside className="mt-10 px-5 sm:px-10 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:mt-0 lg:flex lg:flex-col lg:justify-center lg:border-line lg:border-l lg:bg-manila-soft lg:px-12 lg:py-16 xl:px-20">
        <div className="mx-auto max-w-sm lg:mx-0 lg:max-w-md">
          <EnvelopeArt />
          {brand === null && (
            <>
              <p className="text-ink-soft lg:mt-10 lg:font-semibold lg:text-2xl lg:text-balance lg:text-ink lg:tracking-tight">
                {t("tagline")}
              </p>
              <div>
                <p className="mt-2 hidden text-base text-ink-soft lg:block">{t("pitch")}</p>
                <dl className="flex flex-wrap gap-x-4 text-ink-soft text-xs lg:mt-10 lg:block lg:space-y-6 lg:text-ink lg:text-sm">
                  <Blurb
                    icon={<FileStack aria-hidden />}
                    title={t("templatesTitle")}
                    text={t("templatesText")}
                  />
                  <Blurb
                    icon={<ShieldCheck aria-hidden />}
                    title={t("enterpriseTitle")}
                    text={t("enterpriseText")}
                  />
                </dl>
              </div>
            </>
          )}
        </div>
      </aside>
      <main
        id="content"
        tabIndex={-1}
        className="px-5 pt-8 pb-10 sm:px-10 lg:col-start-1 lg:row-start-2 lg:flex lg:flex-col lg:pt-4"
      >
        <div className={CONTENT}>
          {children}
          <LanguageChoice />
        </div>
      </main>
    </div>
  );
}

/** The title of a view, and what it says, which is announced when it changes. */
export function Intro({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1 className="text-2xl">{title}</h1>
      <p role="status" className="mt-2 mb-6 break-words text-ink-soft">
        {children}
      </p>
    </>
  );
}

/** The look of the one action of a view. */
export const ACTION = { variant: "primary", size: "lg", className: "w-full" } as const;

/** Sends the form around it. */
export function SubmitButton({ loading, children }: { loading: boolean; children: ReactNode }) {
  return (
    <Button {...ACTION} type="submit" loading={loading} className="mt-2 w-full">
      {children}
    </Button>
  );
}

function LanguageChoice() {
  const { t, i18n } = useTranslation();
  const options = LANGUAGES.map((value) => ({ value, label: t(`languages.${value}`) }));
  return (
    <NativeSelect
      aria-label={t("language")}
      className="mt-8 w-44 max-w-full"
      value={i18n.language}
      options={options}
      onChange={({ target }) => void chooseLanguage(target.value as Language)}
    />
  );
}

function Blurb({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <div className="lg:relative lg:pl-12">
      <dt className="lg:font-semibold">
        <span className="absolute top-0 left-0 hidden size-8 items-center justify-center rounded-control bg-surface text-accent lg:inline-flex [&_svg]:size-4.5">
          {icon}
        </span>
        {title}
      </dt>
      <dd className="mt-0.5 hidden text-ink-soft lg:block">{text}</dd>
    </div>
  );
}

/** An illustration: three sheets above an open envelope. */
function EnvelopeArt() {
  return (
    <svg viewBox="24 0 192 150" aria-hidden="true" className="hidden h-36 w-auto lg:block">
      <path d="M24 62 120 8l96 54v76a8 8 0 0 1-8 8H32a8 8 0 0 1-8-8z" className="fill-manila" />
      <g className="fill-surface stroke-line" strokeWidth="1.5">
        <rect x="52" y="26" width="92" height="104" rx="5" transform="rotate(-7 98 78)" />
        <rect x="98" y="22" width="92" height="104" rx="5" transform="rotate(6 144 74)" />
        <rect x="74" y="18" width="92" height="110" rx="5" />
      </g>
      <g className="stroke-line" strokeWidth="4" strokeLinecap="round">
        <path d="M88 52h64M88 66h64M88 80h42" />
      </g>
      <circle cx="92" cy="35" r="6" className="fill-good" />
      <path d="m89 35 2.2 2.2 4-4.2" className="stroke-surface" strokeWidth="1.8" fill="none" />
      <path
        d="m24 62 88.4 50.6a15 15 0 0 0 15.2 0L216 62v76a8 8 0 0 1-8 8H32a8 8 0 0 1-8-8z"
        className="fill-accent"
      />
      <path
        d="m27 144 66-43M213 144l-66-43"
        className="stroke-surface opacity-35"
        strokeWidth="1.5"
        fill="none"
      />
    </svg>
  );
}
