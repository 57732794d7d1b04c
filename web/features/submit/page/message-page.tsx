import type { LucideIcon } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { cx } from "../../../lib/cx";

const TONES = {
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  plain: "bg-manila-soft text-ink",
} as const;

type MessagePageProps = {
  icon: LucideIcon;
  tone: keyof typeof TONES;
  title: string;
  text: string;
  children?: ReactNode;
};

/** A page with one message. Its heading takes the focus, since the focused element was removed. */
export function MessagePage({ icon: Icon, tone, title, text, children }: MessagePageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  return (
    <section className="appear border-line border-y bg-surface px-5 py-10 text-center sm:rounded-card sm:border sm:px-10 sm:py-14">
      <span className={cx("mx-auto flex size-14 items-center justify-center rounded-full", TONES[tone])}>
        <Icon aria-hidden className="size-7" />
      </span>
      <h1 ref={heading} tabIndex={-1} className="mt-5 text-2xl leading-8 outline-none">
        {title}
      </h1>
      <p className="mx-auto mt-2 max-w-md text-balance text-ink-soft">{text}</p>
      {children}
    </section>
  );
}
