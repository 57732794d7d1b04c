import { cx } from "../../lib/cx";

type AvatarProps = { name: string; url: string | null; className?: string; initials?: boolean };

/** The picture, or the first letter of the name, or its initials. It is decoration: the name is always next to it. */
export function Avatar({ name, url, className, initials = false }: AvatarProps) {
  const shape = cx("size-9 shrink-0 rounded-full", className);
  if (url) return <img src={url} alt="" className={cx(shape, "bg-sunken object-cover")} />;
  const words = name.trim().split(/\s+/);
  const shown = initials && words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const letters = shown.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "?").join("");
  return (
    <span
      aria-hidden
      className={cx(
        shape,
        "inline-flex items-center justify-center bg-accent-soft font-semibold text-accent",
      )}
    >
      {letters}
    </span>
  );
}
