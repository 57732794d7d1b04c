import { Search } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "../../lib/cx";
import { Input } from "./input";

type SearchInputProps = Omit<ComponentProps<typeof Input>, "type"> & {
  /** Its accessible name, which is its hint as well. */
  label: string;
};

/** A field for words to search for. `className` is that of the box around it. */
export function SearchInput({ label, className, ...rest }: SearchInputProps) {
  return (
    <div className={cx("relative", className)}>
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-soft" />
      <Input {...rest} type="search" aria-label={label} placeholder={label} className="pl-8" />
    </div>
  );
}
