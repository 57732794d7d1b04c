import { Description, DialogPanel, DialogTitle, Dialog as HeadlessDialog } from "@headlessui/react";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../lib/cx";
import { useOnline } from "../../lib/use-online";
import { IconButton } from "./icon-button";
import { RestoreFocus } from "./restore-focus";
import { addToastContainer } from "./toast-store";

const WIDTHS = {
  sm: "sm:max-w-md",
  md: "sm:max-w-[600px]",
  lg: "sm:max-w-[720px]",
  xl: "sm:max-w-[920px]",
} as const;

/**
 * Toasts are beside what was pressed and cover nothing: between the body and the footer, on a wide screen beside the
 * footer, outside the dialog.
 */
const TOASTS = "pointer-events-none sm:ml-auto sm:w-92 short:fixed short:inset-x-0 short:bottom-0";
const BESIDE = "xl:absolute xl:bottom-0 xl:left-full xl:w-[min(23rem,calc((100vw-100%)/2))]";
const BESIDE_XL =
  "min-[90rem]:absolute min-[90rem]:bottom-0 min-[90rem]:left-full min-[90rem]:w-[min(23rem,calc((100vw-100%)/2))]";

const AT_EDGE =
  "min-[100rem]:my-3 min-[100rem]:mr-3 min-[100rem]:ml-auto min-[100rem]:h-[calc(100dvh-1.5rem)] min-[100rem]:max-h-none min-[100rem]:max-w-[680px]";

type DialogProps = {
  /** Called on Escape, a click outside or the close button. */
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  /** Below the title instead of a description: user data, which can be long. */
  subtitle?: string | undefined;
  /** Beside the title, such as a badge. */
  aside?: ReactNode;
  /** Under the title and above what scrolls, such as the steps. */
  header?: ReactNode;
  /** Stays at the bottom while the body scrolls. */
  footer?: ReactNode;
  width?: keyof typeof WIDTHS;
  /** The initial focus: the title (for reading), or the first or `autoFocus`ed field (for forms). */
  focus?: "title" | "field";
  /** For a dialog whose footer already has a button "Close". */
  hideCloseButton?: boolean;
  /** For a question before something is lost. */
  role?: "dialog" | "alertdialog";
  /** On a wide screen it is at the right edge, and the list that it was opened from stays visible. */
  beside?: boolean;
  /** It is shown over another dialog, even if both open at once. */
  nested?: boolean;
  children: ReactNode;
};

/**
 * Fills the screen on a phone. Elsewhere it is at most 95vh tall and its body scrolls. The dialog element is
 * only as large as its surface; the overlay is behind it.
 */
export function Dialog(props: DialogProps) {
  const {
    onClose,
    title,
    description,
    subtitle,
    aside,
    header,
    footer,
    width = "md",
    focus = "title",
  } = props;
  const { t } = useTranslation();
  const online = useOnline();
  const titleRef = useRef<HTMLHeadingElement>(null);
  // Headless UI also closes a dialog that disappears. React hides one while the texts of what replaces it are loading.
  const isShown = () => titleRef.current !== null && titleRef.current.getClientRects().length > 0;
  return (
    <HeadlessDialog
      role={props.role ?? "dialog"}
      open
      onClose={() => isShown() && onClose()}
      {...(focus === "title" && { initialFocus: titleRef })}
      data-beside={props.beside}
      className={cx(
        "fixed inset-0 m-auto flex h-dvh w-full flex-col sm:h-fit sm:max-h-[95vh] sm:w-[calc(100%-3rem)]",
        WIDTHS[width],
        props.beside && AT_EDGE,
        props.nested ? "z-50" : "z-40",
      )}
    >
      <div
        aria-hidden
        className={cx("appear fixed inset-0 bg-overlay", props.beside && "min-[100rem]:hidden")}
      />
      <DialogPanel className="rise relative flex min-h-0 flex-auto flex-col bg-surface text-ink shadow-float sm:rounded-card short:block short:overflow-y-auto">
        <RestoreFocus {...(props.nested && { nested: true })} />
        <div className="border-line border-b px-4 pt-4 pb-3.5 sm:px-6">
          <div className="flex flex-wrap pr-10 items-center gap-x-3 gap-y-1.5">
            <DialogTitle
              ref={titleRef}
              tabIndex={-1}
              as="h2"
              title={typeof title === "string" ? title : undefined}
              className="line-clamp-3 min-w-0 break-words text-lg outline-none"
            >
              {title}
            </DialogTitle>
            {aside}
          </div>
          {description && <Description className="mt-1 text-ink-soft">{description}</Description>}
          {subtitle && (
            <Description title={subtitle} className="mt-1 line-clamp-2 break-words text-ink-soft">
              {subtitle}
            </Description>
          )}
          {header}
        </div>
        <div className="min-h-0 flex-auto overflow-y-auto overscroll-contain px-4 py-5 sm:px-6">
          {props.children}
        </div>
        <div className="relative">
          <div
            ref={addToastContainer}
            className={cx(TOASTS, width === "xl" ? BESIDE_XL : BESIDE, props.beside && "min-[100rem]:static")}
          />
          {footer && !online && (
            // The page's own line is behind the dialog.
            <p
              role="status"
              className="border-line border-t bg-warn-soft px-4 py-2 text-sm text-warn sm:px-6"
            >
              {t("offline")}
            </p>
          )}
          {footer && (
            <div className="flex flex-wrap justify-end gap-2 max-sm:*:grow border-line border-t px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6">
              {footer}
            </div>
          )}
        </div>
        {!props.hideCloseButton && (
          <span className="absolute top-3 right-3 sm:right-4 touch:top-1 touch:right-2">
            <IconButton label={t("close")} icon={X} onClick={onClose} side="bottom" />
          </span>
        )}
      </DialogPanel>
    </HeadlessDialog>
  );
}
