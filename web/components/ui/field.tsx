import { CircleAlert } from "lucide-react";
import { createContext, type ReactNode, use, useId, useMemo } from "react";
import { cx } from "../../lib/cx";

type FieldIds = {
  control: string;
  label: string;
  name: string;
  described: string | undefined;
  invalid: boolean;
  required: boolean;
};

const FieldContext = createContext<FieldIds | null>(null);

/** The attributes that tie a control to the label, hint and error of the Field around it. */
export function useFieldAttributes() {
  const field = use(FieldContext);
  if (!field) return {};
  return {
    id: field.control,
    "aria-describedby": field.described,
    "aria-invalid": field.invalid || undefined,
    "aria-required": field.required || undefined,
  };
}

/** The label's text, for controls whose name contains more than the label (a list box button). */
export function useFieldName(): string | undefined {
  return use(FieldContext)?.name;
}

/** The id of the label, which tells buttons of several fields apart as their description. */
export function useFieldLabelId(): string | undefined {
  return use(FieldContext)?.label;
}

export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-bad text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}

type FieldProps = {
  label: string;
  hint?: ReactNode;
  /** The error message, shown under the control and announced. */
  error?: string | undefined;
  required?: boolean;
  /** The label is only for screen readers: it is visible elsewhere, such as above the first of several rows. */
  hiddenLabel?: boolean;
  /** Something at the right of the label, such as "Forgot password?". */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
};

/** Label, control, hint and error of one input. The asterisk is not part of the accessible name. */
export function Field(props: FieldProps) {
  const { label, hint, error, required = false, hiddenLabel = false, aside, className, children } = props;
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const ids = useMemo(
    () => ({
      control: `${id}-control`,
      label: `${id}-label`,
      name: label,
      described,
      invalid: Boolean(error),
      required,
    }),
    [id, label, described, error, required],
  );
  return (
    <FieldContext value={ids}>
      <div className={cx("flex min-w-0 flex-col gap-1.5", className)}>
        <div
          className={cx(
            hiddenLabel ? "sr-only" : "flex items-baseline gap-0.5",
            Boolean(aside) && "flex-wrap",
          )}
        >
          <label id={ids.label} htmlFor={ids.control} className="font-medium text-ink text-sm">
            {label}
          </label>
          {required && (
            <span aria-hidden className="text-bad">
              *
            </span>
          )}
          {aside && <span className="ml-auto">{aside}</span>}
        </div>
        {children}
        {hint && (
          <p id={`${id}-hint`} className="text-ink-soft text-xs">
            {hint}
          </p>
        )}
        {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      </div>
    </FieldContext>
  );
}
