import { createContext, type ReactNode, use, useEffect } from "react";

type SettingsSectionProps = { id: string; title: string; text: string; children: ReactNode };

/** Several sections under one heading, with its own URL. */
export function SettingsGroup({ id, title, text, children }: SettingsSectionProps) {
  return (
    <section id={id} tabIndex={-1} aria-labelledby={`${id}-title`} className="lg:scroll-mt-4">
      <div className="border-line border-t pt-8 pb-6">
        <h2 id={`${id}-title`} className="text-lg">
          {title}
        </h2>
        <p className="mt-1 text-ink-soft">{text}</p>
      </div>
      <InGroup value>{children}</InGroup>
    </section>
  );
}

const InGroup = createContext(false);

/** A section of a settings page, with its own URL (`/profile#password`). */
export function SettingsSection({ id, title, text, children }: SettingsSectionProps) {
  const Heading = use(InGroup) ? "h3" : "h2";
  return (
    <section
      id={id}
      tabIndex={-1}
      data-section
      aria-labelledby={`${id}-title`}
      className="grid gap-x-8 gap-y-4 border-line border-t py-8 lg:scroll-mt-4 lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <div>
        <Heading id={`${id}-title`} className="text-base">
          {title}
        </Heading>
        <p className="mt-1 text-ink-soft">{text}</p>
      </div>
      <div className="min-w-0 max-w-xl">{children}</div>
    </section>
  );
}

const ACTIONS = ["keydown", "pointerdown", "wheel"] as const;

/** Shows and focuses the section that the URL names. */
export function useSection(id: string): void {
  useEffect(() => {
    const target = id && document.getElementById(id);
    if (!target) return;
    target.focus({ preventScroll: true });
    // WebKit does not keep the section in place when what is above it loads later. Called at once as well.
    const resized = new ResizeObserver(() => target.scrollIntoView());
    resized.observe(document.body);
    const stop = () => {
      resized.disconnect();
      for (const action of ACTIONS) removeEventListener(action, stop);
    };
    for (const action of ACTIONS) addEventListener(action, stop, { passive: true });
    return stop;
  }, [id]);
}
