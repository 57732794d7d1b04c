import { Button } from "./button";

type EmptyStateProps = {
  title: string;
  /** What to do first; pressing it does so. */
  action: string;
  /** What will be there. */
  drawing: keyof typeof DRAWINGS;
  /** False for who may not do that. */
  onAction: false | (() => void);
};

/** What a page shows while it has no entries. */
export function EmptyState({ title, action, onAction, drawing }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-card bg-paper px-6 py-14 text-center">
      <svg viewBox="0 0 200 118" aria-hidden="true" className="mb-6 h-auto w-50 max-w-full">
        {DRAWINGS[drawing]}
      </svg>
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

type BoxProps = { at: readonly [x: number, y: number, width: number, height: number, radius: number] };

/** A rounded rectangle, with `turn` turned around its middle. */
function Box({ at, turn, className }: BoxProps & { turn?: number; className: string }) {
  const [x, y, width, height, rx] = at;
  const transform = turn ? `rotate(${turn} ${x + width / 2} ${y + height / 2})` : undefined;
  return <rect {...{ x, y, width, height, rx, transform, className }} />;
}

const ROWS = [8, 44, 80];
const LINES = [30, 50, 70];

/** What a list will hold, drawn in the colours of the logo. */
const DRAWINGS = {
  /** Rows with an envelope, a subject and a status each. */
  envelopes: ROWS.map((y, index) => (
    <g key={y} opacity={1 - index * 0.32}>
      <Box at={[14, y, 172, 30, 7]} className="fill-surface stroke-line" />
      <Box at={[24, y + 9, 18, 13, 2.5]} className="fill-accent" />
      <path d={`M27 ${y + 6}h10l2 2v5l-6 4-6-4z`} className="fill-manila" />
      <Box at={[52, y + 9, index === 1 ? 48 : 62, 5, 2.5]} className="fill-line-strong" />
      <Box at={[52, y + 18, 36, 4, 2]} className="fill-line" />
      <Box at={[146, y + 10, 30, 10, 5]} className={index === 0 ? "fill-accent-soft" : "fill-manila"} />
    </g>
  )),
  /** A checklist in front of another one. */
  templates: (
    <>
      <Box at={[66, 10, 84, 98, 7]} turn={7} className="fill-manila" />
      <path
        d="M57 6h58l20 20v80a7 7 0 0 1-7 7H57a7 7 0 0 1-7-7V13a7 7 0 0 1 7-7z"
        className="fill-surface stroke-line"
      />
      <path d="M115 6l20 20h-15a5 5 0 0 1-5-5z" className="fill-manila-soft stroke-line" />
      {LINES.map((y) => (
        <Box key={y} at={[82, y + 3.5, y === 50 ? 40 : 30, 5, 2.5]} className="fill-line-strong" />
      ))}
      {[30, 50].map((y) => (
        <g key={y} strokeWidth="1.8">
          <Box at={[62, y, 12, 12, 3.5]} className="fill-accent" />
          <path d={`M65 ${y + 6}l2.4 2.4 4.2-4.6`} className="fill-none stroke-accent-ink" />
        </g>
      ))}
      <Box at={[62, 70, 12, 12, 3.5]} className="fill-surface stroke-line-strong" />
      <Box at={[62, 92, 56, 4, 2]} className="fill-line" />
    </>
  ),
  /** The cards of two people. */
  contacts: (
    <>
      <Box at={[52, 12, 118, 76, 9]} turn={6} className="fill-manila" />
      <Box at={[30, 24, 124, 80, 9]} className="fill-surface stroke-line" />
      <circle cx="58" cy="54" r="15" className="fill-accent-soft" />
      <circle cx="58" cy="50" r="5.5" className="fill-accent" />
      <path d="M48 65a10 9 0 0 1 20 0 15 15 0 0 1-20 0z" className="fill-accent" />
      <Box at={[84, 42, 52, 6, 3]} className="fill-line-strong" />
      <Box at={[84, 54, 38, 4.5, 2.25]} className="fill-line" />
      <Box at={[84, 63, 46, 4.5, 2.25]} className="fill-line" />
      <Box at={[43, 82, 44, 12, 6]} className="fill-accent" />
      <circle cx="100" cy="88" r="4" className="fill-manila" />
    </>
  ),
};
