import { cx } from "../../lib/cx";
import { Button } from "./button";

type EmptyStateProps = {
  title: string;
  /** What to do first; pressing it does so. */
  action: string;
  /** What will be there. */
  drawing: Drawing;
  /** False for who may not do that. */
  onAction: false | (() => void);
};

/** What a page shows while it has no entries. */
export function EmptyState({ title, action, onAction, drawing }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-card bg-paper px-6 py-14 text-center">
      <EmptyDrawing of={drawing} className="mb-6 w-50" />
      <p className="font-semibold text-lg">{title}</p>
      {onAction && (
        <Button
          className="mt-4 h-auto! min-h-9 touch:min-h-10 max-w-full shrink! whitespace-normal! py-1.5"
          onClick={onAction}
        >
          {action}
        </Button>
      )}
    </div>
  );
}

const ROWS = [8, 44, 80];
const LINES = [30, 50, 70];

/** What a list will hold, drawn in the colours of the logo. */
const DRAWINGS = {
  /** Rows with an envelope, a subject and a status each. */
  envelopes: ROWS.map((y, index) => (
    <g key={y} opacity={1 - index * 0.32}>
      <rect x="14" y={y} width="172" height="30" rx="7" className="fill-surface stroke-line" />
      <rect x="24" y={y + 9} width="18" height="13" rx="2.5" className="fill-accent" />
      <path d={`M27 ${y + 6}h10l2 2v5l-6 4-6-4z`} className="fill-manila" />
      <rect x="52" y={y + 9} width={index === 1 ? 48 : 62} height="5" rx="2.5" className="fill-line-strong" />
      <rect x="52" y={y + 18} width="36" height="4" rx="2" className="fill-line" />
      <rect
        x="146"
        y={y + 10}
        width="30"
        height="10"
        rx="5"
        className={index === 0 ? "fill-accent-soft" : "fill-manila"}
      />
    </g>
  )),
  /** A checklist in front of another one. */
  templates: (
    <>
      <rect
        x="66"
        y="10"
        width="84"
        height="98"
        rx="7"
        transform="rotate(7 108 59)"
        className="fill-manila"
      />
      <path
        d="M57 6h58l20 20v80a7 7 0 0 1-7 7H57a7 7 0 0 1-7-7V13a7 7 0 0 1 7-7z"
        className="fill-surface stroke-line"
      />
      <path d="M115 6l20 20h-15a5 5 0 0 1-5-5z" className="fill-manila-soft stroke-line" />
      {LINES.map((y, index) => (
        <g key={y}>
          <rect
            x="62"
            y={y}
            width="12"
            height="12"
            rx="3.5"
            className={index < 2 ? "fill-accent" : "fill-surface stroke-line-strong"}
          />
          {index < 2 && (
            <path
              d={`M65 ${y + 6}l2.4 2.4 4.2-4.6`}
              strokeWidth="1.8"
              className="fill-none stroke-accent-ink"
            />
          )}
          <rect
            x="82"
            y={y + 3.5}
            width={index === 1 ? 40 : 30}
            height="5"
            rx="2.5"
            className="fill-line-strong"
          />
        </g>
      ))}
      <rect x="62" y="92" width="56" height="4" rx="2" className="fill-line" />
    </>
  ),
  /** The cards of two people. */
  contacts: (
    <>
      <rect
        x="52"
        y="12"
        width="118"
        height="76"
        rx="9"
        transform="rotate(6 111 50)"
        className="fill-manila"
      />
      <rect x="30" y="24" width="124" height="80" rx="9" className="fill-surface stroke-line" />
      <circle cx="58" cy="54" r="15" className="fill-accent-soft" />
      <circle cx="58" cy="50" r="5.5" className="fill-accent" />
      <path d="M48 65a10 9 0 0 1 20 0 15 15 0 0 1-20 0z" className="fill-accent" />
      <rect x="84" y="42" width="52" height="6" rx="3" className="fill-line-strong" />
      <rect x="84" y="54" width="38" height="4.5" rx="2.25" className="fill-line" />
      <rect x="84" y="63" width="46" height="4.5" rx="2.25" className="fill-line" />
      <rect x="43" y="82" width="44" height="12" rx="6" className="fill-accent" />
      <circle cx="100" cy="88" r="4" className="fill-manila" />
    </>
  ),
};

export type Drawing = keyof typeof DRAWINGS;

function EmptyDrawing({ of, className }: { of: Drawing; className?: string }) {
  return (
    <svg viewBox="0 0 200 118" aria-hidden="true" className={cx("h-auto max-w-full", className)}>
      {DRAWINGS[of]}
    </svg>
  );
}
