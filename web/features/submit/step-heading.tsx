import { type ReactNode, useLayoutEffect, useRef } from "react";

/** The heading of a step; takes the focus when the step was moved to. */
export function StepHeading({
  moved,
  hint,
  children,
}: {
  moved: boolean;
  hint: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!moved) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest("form")?.scrollIntoView({ block: "start" });
  }, [moved]);
  return (
    <div>
      <h2 ref={heading} tabIndex={-1} className="text-lg leading-7 outline-none">
        {children}
      </h2>
      <p className="mt-0.5 text-ink-soft">{hint}</p>
    </div>
  );
}
