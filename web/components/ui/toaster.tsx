import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { cx } from "../../lib/cx";
import { buttonClass } from "./button";
import { dismissOnTimeoutOrSwipe } from "./toast-gestures";
import { dismissToast, type ToastMessage, useCurrentToast, useToastContainer } from "./toast-store";

const DURATION_MS = 5000;
/** After its live region, and after a dialog that closes: it would not be read out, or be read out twice. */
const INSERTED_AFTER_MS = 200;
/** Until it is read out, at least in part. */
const HEARD_AFTER_MS = 1000;

/** The id of the last toast that was heard. */
let heard: number | undefined;

type ToasterProps = {
  labels: { region: string; dismiss: string };
  /** Its place in the window, while no dialog is open. */
  className: string;
};

/** The one visible toast: in the open dialog, or at its place in the window. */
export default function Toaster(props: ToasterProps) {
  const dialog = useToastContainer();
  return createPortal(<ToastRegion {...props} inDialog={dialog !== null} />, dialog ?? document.body);
}

/** The same for a page without dialogs, which does not load portals. */
export function ToastRegion({ labels, className, inDialog = false }: ToasterProps & { inDialog?: boolean }) {
  const shown = useCurrentToast();
  const region = useRef<HTMLElement>(null);
  // A dialog that opens or closes takes the toast along.
  const [earlier] = useState(heard);
  const [inserted, setInserted] = useState(heard);
  const id = shown?.id;
  useEffect(() => {
    const timer =
      inserted === id
        ? setTimeout(() => {
            heard = id;
          }, HEARD_AFTER_MS)
        : setTimeout(() => setInserted(id), INSERTED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [inserted, id]);
  useEffect(() => {
    if (inDialog && inserted !== undefined) showInvalidField();
  }, [inDialog, inserted]);
  useEffect(() => {
    const focusRegion = ({ key }: KeyboardEvent) => key === "F8" && region.current?.focus();
    addEventListener("keydown", focusRegion);
    return () => removeEventListener("keydown", focusRegion);
  }, []);
  const close = () => {
    region.current?.focus({ preventScroll: true });
    dismissToast();
  };
  const toast = shown && inserted === id && (
    <Toast key={shown.id} {...shown} dismissLabel={labels.dismiss} onClose={close} />
  );
  const live = id !== undefined && id === earlier ? "off" : undefined;
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={labels.region}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !shown) return;
        // Closes the toast only, not the dialog below it as well.
        event.stopPropagation();
        close();
      }}
      className={cx(
        "pointer-events-none p-3 outline-none",
        !inDialog && cx("fixed right-0 z-60 w-full", className),
      )}
    >
      <div role="alert" aria-live={live}>
        {shown?.destructive && toast}
      </div>
      <div role="status" aria-live={live}>
        {!shown?.destructive && toast}
      </div>
    </section>
  );
}

/** On a phone the toast narrows what scrolls in a dialog, and the field that it is about was below it. */
function showInvalidField(): void {
  const field = document.activeElement;
  // In WebKit, `:focus` matches nothing while the window is inactive.
  if (!field?.matches("[aria-invalid]")) return;
  const error = field.getAttribute("aria-describedby")?.split(" ").at(-1);
  for (const element of [error && document.getElementById(error), field])
    if (element) element.scrollIntoView({ block: "nearest" });
}

type ToastProps = ToastMessage & { id: number; dismissLabel: string; onClose: () => void };

function Toast({
  id,
  title,
  text,
  reason,
  destructive,
  action,
  brief = false,
  duration = DURATION_MS,
  dismissLabel,
  onClose,
}: ToastProps) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A failure stays until it is dismissed, or its reason is gone.
    if (card.current)
      return dismissOnTimeoutOrSwipe(card.current, destructive ? null : duration, () => dismissToast(id));
  }, [id, destructive, duration]);
  const Icon = destructive ? CircleAlert : CircleCheck;
  return (
    <div
      ref={card}
      className={cx(
        "rise pointer-events-auto relative flex touch-pan-y items-start gap-3 rounded-card border bg-surface pr-12 pl-4 text-ink shadow-float",
        brief ? "py-2" : "py-4",
        destructive ? "border-bad" : "border-line",
      )}
    >
      <Icon aria-hidden className={cx("mt-0.5 size-4 shrink-0", destructive ? "text-bad" : "text-good")} />
      <div className="min-w-0 flex-1 break-words">
        <p className={cx("font-semibold", destructive && "text-bad", brief && "truncate")}>{title}</p>
        <div className={cx(brief && "flex items-center justify-between gap-3")}>
          {text && (
            <p className={cx("mt-0.5 text-ink-soft text-sm leading-5", brief && "truncate")}>{text}</p>
          )}
          {reason && <p className="mt-1 text-ink-soft text-sm leading-5">{reason}</p>}
          {action && (
            <button
              type="button"
              onClick={() => {
                onClose();
                action.onAction();
              }}
              className={buttonClass({
                size: "sm",
                className: cx("h-auto! min-h-8 whitespace-normal! py-1", brief ? "shrink-0" : "mt-2"),
              })}
            >
              {action.label}
            </button>
          )}
        </div>
      </div>
      <button
        type="button"
        aria-label={dismissLabel}
        onClick={onClose}
        className="absolute top-2 right-2 inline-flex size-8 items-center justify-center rounded-md text-ink-soft hover:bg-hover hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
