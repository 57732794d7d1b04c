import { Action, Close, Description, Provider, Root, Title, Viewport } from "@radix-ui/react-toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import type { CSSProperties } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { cx } from "../../lib/cx";
import { buttonClass } from "./button";
import { dismissToast, useCurrentToast } from "./toast-store";
import { useToastBottom } from "./use-toast-bottom";

const DURATION = 5000;

/** The one visible toast. It is rendered outside the app's root, which an open dialog makes inert. */
export function Toaster({ sidebar }: { sidebar: boolean }) {
  const { t } = useTranslation();
  const shown = useCurrentToast();
  const bottom = useToastBottom(shown !== null);
  const Icon = shown?.destructive ? CircleAlert : CircleCheck;
  return (
    <Provider duration={DURATION} swipeDirection="right" swipeThreshold={50} label={t("notification")}>
      {shown && (
        <Root
          key={shown.id}
          type={shown.destructive ? "foreground" : "background"}
          onOpenChange={(open) => !open && dismissToast(shown.id)}
          className={cx(
            "rise relative flex items-start gap-3 rounded-card border bg-surface p-4 pr-11 text-ink shadow-float",
            "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform",
            shown.destructive ? "border-bad" : "border-line",
          )}
        >
          <Icon
            aria-hidden
            className={cx("mt-0.5 size-4.5 shrink-0", shown.destructive ? "text-bad" : "text-good")}
          />
          <div className="min-w-0 flex-1">
            <Title className={cx("font-semibold", shown.destructive && "text-bad")}>{shown.title}</Title>
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
          // Below headings and above the buttons of a dialog; on a wide screen in the free middle of the sidebar.
          style={{ "--toast-bottom": `${bottom}px` } as CSSProperties}
          className={cx(
            "fixed right-0 bottom-(--toast-bottom) z-60 m-0 flex w-full max-w-full list-none flex-col p-3 outline-none sm:w-92 sm:p-4",
            sidebar && "xl:right-auto xl:bottom-44 xl:left-0 xl:w-64",
          )}
        />,
        document.body,
      )}
    </Provider>
  );
}
