import { cx } from "../../lib/cx";

/** The picture, or the first letter of the name. It is decoration: the name is always next to it. */
export function Avatar({ name, url, className }: { name: string; url: string | null; className?: string }) {
  const shape = cx("size-9 shrink-0 rounded-full", className);
  if (url) return <img src={url} alt="" className={cx(shape, "bg-sunken object-cover")} />;
  const initial = [...name.trim()][0]?.toUpperCase() ?? "?";
  return (
    <span
      aria-hidden
      className={cx(
        shape,
        "inline-flex items-center justify-center bg-accent-soft font-semibold text-accent",
      )}
    >
      {initial}
    </span>
  );
}
