import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { dismissToast, type ToastMessage, useCurrentToast } from "../../../components/ui/toast-store";
import { cx } from "../../../lib/cx";
import { useTexts } from "../translation/use-texts";

const DURATION_MS = 5000;
const SWIPE_THRESHOLD = 50;

/** The one visible toast. Radix, which the app uses, would take a tenth of this page's budget. */
export function Toaster() {
  const { t } = useTexts();
  const shown = useCurrentToast();
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === "F8") region.current?.focus();
      if (event.key === "Escape" && region.current?.contains(document.activeElement)) dismissToast();
    };
    addEventListener("keydown", handleKey);
    return () => removeEventListener("keydown", handleKey);
  }, []);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t("toasts.region")}
      className={cx(
        "pointer-events-none fixed right-0 z-60 w-full p-3 outline-none sm:w-104 xl:w-[min(26rem,calc((100vw-40rem)/2))]",
        // Below the page's header, where a step has its heading and no buttons. On a wide screen, beside the column.
        // On a low screen, at the very top: a field with an error is scrolled to the middle.
        "top-14 sm:top-18 [@media(max-height:40rem)]:top-0",
        // The final pages have no form, and their heading is there.
        "[main:not(:has(form))~&]:top-auto [main:not(:has(form))~&]:bottom-0",
      )}
    >
      <div role="alert">{shown?.destructive && <Toast key={shown.id} {...shown} />}</div>
      <div role="status">{shown && !shown.destructive && <Toast key={shown.id} {...shown} />}</div>
    </section>
  );
}

function Toast({ id, title, text, destructive }: ToastMessage & { id: number }) {
  const { t } = useTexts();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A failure stays until it is dismissed, or its reason is gone.
    const duration = destructive ? null : DURATION_MS;
    if (card.current) return dismissOnTimeoutOrSwipe(card.current, duration, () => dismissToast(id));
  }, [id, destructive]);
  const Icon = destructive ? CircleAlert : CircleCheck;
  return (
    <div
      ref={card}
      className={cx(
        "rise pointer-events-auto relative flex touch-pan-y items-start gap-3 rounded-card border bg-surface p-4 pr-12 text-ink shadow-float",
        destructive ? "border-bad" : "border-line",
      )}
    >
      <Icon aria-hidden className={cx("mt-0.5 size-5 shrink-0", destructive ? "text-bad" : "text-good")} />
      <div className="min-w-0 flex-1">
        <p className={cx("font-semibold", destructive && "text-bad")}>{title}</p>
        {text && <p className="mt-0.5 break-words text-ink-soft text-sm leading-5">{text}</p>}
      </div>
      <button
        type="button"
        aria-label={t("toasts.close")}
        onClick={() => dismissToast(id)}
        className="absolute top-2.5 right-2.5 inline-flex size-8 items-center justify-center rounded-md text-ink-soft hover:bg-hover hover:text-ink"
      >
        <X aria-hidden className="size-4.5" />
      </button>
    </div>
  );
}

/**
 * Dismisses the toast after its duration, if it has one, or when it is swiped to the right. The timer pauses while the
 * toast is hovered or focused. Returns a cleanup function.
 */
function dismissOnTimeoutOrSwipe(
  card: HTMLElement,
  duration: number | null,
  dismiss: () => void,
): () => void {
  const listening = new AbortController();
  const on = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: (event: HTMLElementEventMap[Type]) => void,
  ) => card.addEventListener(type, listener, { signal: listening.signal });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pauseTimer = () => clearTimeout(timer);
  const restartTimer = () => {
    clearTimeout(timer);
    if (duration !== null) timer = setTimeout(dismiss, duration);
  };
  restartTimer();
  on("pointerenter", pauseTimer);
  on("pointerleave", restartTimer);
  on("focusin", pauseTimer);
  on("focusout", restartTimer);

  let startX: number | null = null;
  const moveTo = (distance: number) => {
    card.style.transform = distance > 0 ? `translateX(${distance}px)` : "";
  };
  on("pointerdown", ({ clientX }) => {
    startX = clientX;
  });
  on("pointermove", ({ clientX }) => startX !== null && moveTo(clientX - startX));
  on("pointerup", ({ clientX }) => {
    if (startX !== null && clientX - startX >= SWIPE_THRESHOLD) dismiss();
    startX = null;
    moveTo(0);
  });
  on("pointercancel", () => {
    startX = null;
    moveTo(0);
  });
  return () => {
    listening.abort();
    clearTimeout(timer);
  };
}
