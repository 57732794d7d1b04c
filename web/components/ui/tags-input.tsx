import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../lib/cx";
import { useFieldAttributes } from "./field";
import { controlClass } from "./input";

type TagsInputProps = {
  value: readonly string[];
  onChange: (tags: string[]) => void;
  /** Returns the typed text as it is stored, or null if it is not a valid tag. */
  normalize: (typed: string) => string | null;
  /** Called with the first invalid tag when one was entered, and with null once it is gone. */
  onInvalid?: (typed: string | null) => void;
  placeholder?: string;
  max?: number;
};

/** Tags as chips. Enter, comma, space or blur adds one; Backspace in the empty field removes the last. */
export function TagsInput({
  value,
  onChange,
  normalize,
  onInvalid,
  placeholder,
  max = Number.POSITIVE_INFINITY,
}: TagsInputProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");

  function add(text: string): void {
    const words = text.split(/[\s,;]+/).filter(Boolean);
    const added = words.map(normalize).filter((tag) => tag !== null && !value.includes(tag));
    const next = [...value, ...new Set(added as string[])].slice(0, max);
    if (next.length > value.length) onChange(next);
    const invalid = words.filter((word) => normalize(word) === null);
    setTyped(invalid.join(" "));
    onInvalid?.(invalid[0] ?? null);
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if ((event.key === "Enter" || event.key === "," || event.key === " ") && typed.trim()) {
      event.preventDefault();
      add(typed);
    } else if (event.key === "Enter") {
      event.preventDefault();
    } else if (event.key === "Backspace" && typed === "" && value.length > 0) {
      onChange(value.slice(0, -1));
    }
  }

  return (
    <div
      className={cx(
        controlClass,
        "flex min-h-9 flex-wrap items-center gap-1.5 px-1.5 py-1 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent has-[input:focus-visible]:outline-offset-1",
      )}
    >
      {value.map((tag) => (
        <span key={tag} className="inline-flex h-6 touch:h-10 items-center rounded-md bg-hover pl-2 text-xs">
          {tag}
          <button
            type="button"
            aria-label={t("removeTag", { tag })}
            onClick={() => onChange(value.filter((other) => other !== tag))}
            className="inline-flex size-6 touch:size-10 items-center justify-center rounded-md text-ink-soft hover:text-ink"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </span>
      ))}
      <input
        {...useFieldAttributes()}
        type="text"
        value={typed}
        placeholder={value.length === 0 ? placeholder : undefined}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.target.value);
          onInvalid?.(null);
        }}
        onKeyDown={press}
        onBlur={() => typed.trim() && add(typed)}
        className="h-7 touch:h-10 min-w-12 flex-1 bg-transparent px-1.5 outline-none"
      />
    </div>
  );
}
