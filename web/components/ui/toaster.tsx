import { Action, Close, Description, Provider, Root, Title, Viewport } from "@radix-ui/react-toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useRef } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { cx } from "../../lib/cx";
import { useMediaQuery } from "../../lib/use-media-query";
import { buttonClass } from "./button";
import { dismissToast, useCurrentToast } from "./toast-store";
import { useToastPosition } from "./use-toast-position";

const DURATION = 5000;

/** The one visible toast. It is rendered outside the app's root, which an open dialog makes inert. */
export function Toaster({ sidebar }: { sidebar: boolean }) {
  const { t } = useTranslation();
  const shown = useCurrentToast();
  const viewport = useRef<HTMLOListElement>(null);
  const inSidebar = useMediaQuery("(min-width: 80rem)") && sidebar;
  useToastPosition(viewport, inSidebar ? undefined : shown?.id);
  const Icon = shown?.destructive ? CircleAlert : CircleCheck;
  return (
    <Provider duration={DURATION} swipeDirection="right" swipeThreshold={50} label={t("notification")}>
      {shown && (
        <Root
          key={shown.id}
          type={shown.destructive ? "foreground" : "background"}
          onOpenChange={(open) => !open && dismissToast(shown.id)}
          className={cx(
            "rise relative grid grid-cols-[auto_1fr] items-start gap-x-3 rounded-card border bg-surface text-ink shadow-float",
            inSidebar ? "p-3.5" : "p-4 pr-11",
            "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform",
            shown.destructive ? "border-bad" : "border-line",
          )}
        >
          <Icon
            aria-hidden
            className={cx("mt-0.5 size-4.5 shrink-0", shown.destructive ? "text-bad" : "text-good")}
          />
          <Title
            className={cx(
              "min-w-0 break-words font-semibold",
              shown.destructive && "text-bad",
              inSidebar && "pr-6",
            )}
          >
            {shown.title}
          </Title>
          <div className={cx("min-w-0", inSidebar ? "col-span-2" : "col-start-2")}>
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
          // On a wide screen it is in the free middle of the sidebar, elsewhere where it covers the fewest controls.
          key={inSidebar ? "sidebar" : "window"}
          ref={viewport}
          hotkey={["F8"]}
          label={t("notifications")}
          // Escape closes the toast only, not the dialog below it as well.
          onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
          className={cx(
            "fixed z-60 m-0 flex list-none flex-col outline-none",
            inSidebar ? "bottom-44 left-0 w-64 p-2" : "right-0 bottom-0 w-full max-w-full p-3 sm:w-92 sm:p-4",
          )}
        />,
        document.body,
      )}
    </Provider>
  );
}
