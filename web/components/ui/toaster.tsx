import { Action, Close, Description, Provider, Root, Title, Viewport } from "@radix-ui/react-toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { createPortal } from "react-dom";
import { useTranslation } from "#translation";
import { cx } from "../../lib/cx";
import { buttonClass } from "./button";
import { dismissToast, useCurrentToast, useToastContainer } from "./toast-store";

const DURATION = 5000;

/** The one visible toast: in the open dialog, or outside the app's root. */
export default function Toaster() {
  const { t } = useTranslation();
  const shown = useCurrentToast();
  const container = useToastContainer();
  const Icon = shown?.destructive ? CircleAlert : CircleCheck;
  return (
    <Provider duration={DURATION} swipeDirection="right" swipeThreshold={50} label={t("notification")}>
      {shown && (
        <Root
          key={shown.id}
          type={shown.destructive ? "foreground" : "background"}
          // A failure stays until it is dismissed, or its reason is gone.
          duration={shown.destructive ? Number.POSITIVE_INFINITY : DURATION}
          onOpenChange={(open) => !open && dismissToast(shown.id)}
          className={cx(
            "rise pointer-events-auto relative grid grid-cols-[auto_1fr] items-start gap-x-3 rounded-card border bg-surface p-4 pr-11 text-ink shadow-float",
            "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform",
            shown.destructive ? "border-bad" : "border-line",
          )}
        >
          <Icon
            aria-hidden
            className={cx("mt-0.5 size-4 shrink-0", shown.destructive ? "text-bad" : "text-good")}
          />
          <Title className={cx("min-w-0 break-words font-semibold", shown.destructive && "text-bad")}>
            {shown.title}
          </Title>
          <div className="col-start-2 min-w-0">
            {shown.text && (
              <Description className="mt-0.5 break-words text-ink-soft">{shown.text}</Description>
            )}
            {shown.action && (
              <Action
                altText={shown.action.label}
                onClick={shown.action.onAction}
                className={buttonClass({ size: "sm", className: "mt-2" })}
              >
                {shown.action.label}
              </Action>
            )}
          </div>
          <Close
            aria-label={t("dismiss")}
            className="absolute top-2.5 right-2.5 inline-flex size-7 items-center justify-center rounded-md text-ink-soft hover:bg-hover hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </Close>
        </Root>
      )}
      {createPortal(
        <Viewport
          hotkey={["F8"]}
          label={t("notifications")}
          // Escape closes the toast only, not the dialog below it as well.
          onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
          className={cx(
            "pointer-events-none m-0 flex list-none flex-col p-3 outline-none",
            // On a phone below the header, over the page's heading: at the bottom it would cover buttons. On a wide
            // screen at the edge of the content, where the actions of its rows are.
            !container && "fixed top-14 right-0 z-60 w-full sm:top-auto sm:bottom-0 sm:w-92 sm:p-4",
          )}
        />,
        container ?? document.body,
      )}
    </Provider>
  );
}
