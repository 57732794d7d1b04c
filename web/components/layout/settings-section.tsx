import { type ReactNode, useEffect } from "react";

type SettingsSectionProps = { id: string; title: string; text: string; children: ReactNode };

/** A section of a settings page, with its own URL (`/profile#password`). */
export function SettingsSection({ id, title, text, children }: SettingsSectionProps) {
  return (
    <section
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-16 gap-x-8 gap-y-4 border-line border-t py-8 lg:scroll-mt-4 lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={`${id}-title`} className="text-base">
          {title}
        </h2>
        <p className="mt-1 text-ink-soft">{text}</p>
      </div>
      <div className="min-w-0 max-w-xl">{children}</div>
    </section>
  );
}

/** Shows and focuses the section that the URL names. */
export function useSection(id: string): void {
  useEffect(() => {
    const target = id && document.getElementById(id);
    if (!target) return;
    target.scrollIntoView();
    target.focus({ preventScroll: true });
  }, [id]);
}
