import {
  CircleCheck,
  CircleDashed,
  CloudUpload,
  Eye,
  type LucideIcon,
  Minus,
  MinusCircle,
  Trash2,
  Undo2,
} from "lucide-react";
import type { ReactElement } from "react";
import type { CellState } from "./board-model";

type Look = {
  icon: LucideIcon;
  /** Of the icon and its ground. */
  className: string;
  /** Of a bar, where there is no space for icons. */
  color: string;
};

export const LOOKS: Record<CellState, Look> = {
  missing: { icon: CircleDashed, className: "text-line-strong", color: "var(--line)" },
  arriving: { icon: CloudUpload, className: "text-ink-soft", color: "var(--manila)" },
  toReview: { icon: Eye, className: "bg-accent-soft text-accent-text", color: "var(--accent)" },
  accepted: { icon: CircleCheck, className: "text-good", color: "var(--good)" },
  returned: { icon: Undo2, className: "bg-warn-soft text-warn", color: "var(--warn)" },
  skipped: { icon: MinusCircle, className: "text-ink-soft", color: "var(--line-strong)" },
  notAsked: { icon: Minus, className: "text-line-strong", color: "transparent" },
  deleted: { icon: Trash2, className: "text-ink-soft", color: "var(--line-strong)" },
};

/** Of each state the same element, since a board has thousands. */
export const ICONS = Object.fromEntries(
  Object.entries(LOOKS).map(([state, { icon: Icon, className }]) => [
    state,
    <span key={state} className={`inline-flex size-7 items-center justify-center rounded-md ${className}`}>
      <Icon aria-hidden className="size-4" />
    </span>,
  ]),
) as unknown as Record<CellState, ReactElement>;
