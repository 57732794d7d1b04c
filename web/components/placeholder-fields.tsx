import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { PLACEHOLDERS } from "../../worker/contract/placeholders";

type TextControl = HTMLInputElement | HTMLTextAreaElement;

const isTextControl = (target: EventTarget): target is TextControl =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

type PlaceholderFieldsProps = {
  /** Placeholders beside those that every envelope has. */
  columns?: readonly string[];
  /** Text fields, the last of which gets a placeholder if none had the focus. */
  children: ReactNode;
};

/** Text fields, and buttons that insert a placeholder where the cursor was last. */
export function PlaceholderFields({ columns = [], children }: PlaceholderFieldsProps) {
  const { t } = useTranslation("templates");
  const fields = useRef<HTMLDivElement>(null);
  const last = useRef<TextControl>(null);
  const insert = (name: string) => {
    const field = last.current ?? [...(fields.current?.querySelectorAll("textarea") ?? [])].at(-1);
    if (!field) return;
    const end = field.value.length;
    const [from, to] = last.current ? [field.selectionStart ?? end, field.selectionEnd ?? end] : [end, end];
    field.focus();
    field.setRangeText(`{${name}}`, from, to, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const names = [
    ...PLACEHOLDERS.map((name) => ({ name: name as string, label: t(`placeholders.names.${name}`) })),
    ...columns.map((name) => ({ name, label: name })),
  ];
  return (
    <>
      <div
        ref={fields}
        className="flex flex-col gap-4"
        onFocusCapture={({ target }) => {
          if (isTextControl(target)) last.current = target;
        }}
      >
        {children}
      </div>
      <fieldset>
        <legend className="mb-1.5 text-ink-soft text-xs">{t("placeholders.hint")}</legend>
        <div className="flex flex-wrap gap-1.5">
          {names.map(({ name, label }) => (
            <button
              key={name}
              type="button"
              title={`{${name}}`}
              onClick={() => insert(name)}
              className="h-7 touch:h-10 max-w-full truncate rounded-full border border-line-strong px-2.5 text-xs hover:bg-hover"
            >
              {label}
            </button>
          ))}
        </div>
      </fieldset>
    </>
  );
}
