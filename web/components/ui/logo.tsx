import { PRODUCT_NAME } from "../../../worker/contract/product";
import { cx } from "../../lib/cx";

/** An envelope whose flap is a folded sheet. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cx("size-8 shrink-0", className)}>
      <rect x="2" y="8" width="28" height="21" rx="4" className="fill-accent" />
      <path d="M7 3h13l5 5v9.2L16 23l-9-5.8z" className="fill-manila" />
      <path d="M20 3l5 5h-4a1 1 0 0 1-1-1z" className="fill-surface opacity-70" />
      <path
        d="M2 13l12.3 8.4a3 3 0 0 0 3.4 0L30 13v12a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4z"
        className="fill-accent stroke-surface"
        strokeWidth="1.4"
        strokeLinejoin="round"
      />
    </svg>
  );
}

export function Logo({ className }: { className?: string }) {
  return (
    <span className={cx("inline-flex huge:min-w-0 items-center gap-2.5", className)}>
      <LogoMark />
      <span className="huge:truncate font-semibold text-lg tracking-tight">{PRODUCT_NAME}</span>
    </span>
  );
}
