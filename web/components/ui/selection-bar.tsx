import { Ellipsis, type LucideIcon, X } from "lucide-react";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { focusContent } from "../../lib/focus";
import { useFormat } from "../../lib/use-format";
import { useMediaQuery } from "../../lib/use-media-query";
import { Button } from "./button";
import { IconButton } from "./icon-button";
import { lazyComponent } from "./lazy-component";

const OpenedMenu = lazyComponent(() => import("./opened-menu"));

export type SelectionAction = {
  id?: string | undefined;
  label: string;
  icon: LucideIcon;
  onAct: () => void;
  /** To how many of the selected entries it applies, if not to all. */
  count?: number;
  loading?: boolean;
};

type SelectionBarProps = {
  label: string;
  /** How many are selected; empty for none, which shows no bar. */
  text: string;
  clearLabel: string;
  onClear: () => void;
  /** The most used one first. */
  actions: readonly SelectionAction[];
};

const nameOf = ({ label, count }: SelectionAction, format: ReturnType<typeof useFormat>) =>
  count === undefined ? label : `${label} ${format.number(count)}`;

/**
 * The actions for the selected entries of a list. It floats at the bottom of the screen. On a phone, where it would cover the
 * list, it has a menu of all but the first action.
 */
export function SelectionBar({ label, text, clearLabel, onClear, actions }: SelectionBarProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const isWide = useMediaQuery("(min-width: 48rem)");
  const [menuAt, setMenuAt] = useState<HTMLElement | null>(null);
  const closeMenu = useCallback(() => setMenuAt(null), []);
  const clear = () => {
    onClear();
    // The bar is removed.
    focusContent();
  };
  const inMenu = isWide || actions.length < 3 ? [] : actions.slice(1);
  return (
    <>
      <p role="status" className="sr-only">
        {text}
      </p>
      {text && (
        <fieldset
          aria-label={label}
          onKeyDown={({ key, target, currentTarget }) => {
            // Not from a menu or dialog of an action, which is elsewhere on the page.
            if (key === "Escape" && currentTarget.contains(target as Node)) clear();
          }}
          className="rise sticky bottom-3 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center justify-center gap-x-2 gap-y-1.5 rounded-card border border-line bg-surface py-2 pr-3 pl-2 shadow-float short:static"
        >
          <IconButton icon={X} label={clearLabel} onClick={clear} />
          <span className="mr-1 font-medium tabular-nums" aria-hidden>
            {text}
          </span>
          {inMenu.length === 0 ? (
            actions.map((action) => <ActionButton key={action.label} {...action} />)
          ) : (
            // Not one of them alone on a second row.
            <div className="flex items-center gap-x-2">
              {actions.slice(0, 1).map((action) => (
                <ActionButton key={action.label} {...action} />
              ))}
              <IconButton
                icon={Ellipsis}
                label={t("moreActions")}
                aria-haspopup="menu"
                aria-expanded={menuAt !== null}
                className="border border-line-strong"
                onClick={({ currentTarget }) => setMenuAt(menuAt ? null : currentTarget)}
              />
            </div>
          )}
          {menuAt && (
            <OpenedMenu
              label={t("moreActions")}
              button={menuAt}
              onClose={closeMenu}
              entries={inMenu.map((action) => ({
                label: nameOf(action, format),
                icon: action.icon,
                onSelect: action.onAct,
                disabled: action.loading ?? false,
              }))}
            />
          )}
        </fieldset>
      )}
    </>
  );
}

function ActionButton(action: SelectionAction) {
  const format = useFormat();
  const { id, label, icon: Icon, onAct, count, loading = false } = action;
  return (
    <Button
      id={id}
      size="sm"
      loading={loading}
      aria-label={count === undefined ? undefined : nameOf(action, format)}
      onClick={onAct}
    >
      {!loading && <Icon aria-hidden />}
      {/* The space belongs to its name, "Remind 5". */}
      <span>{`${label} `}</span>
      {count !== undefined && <span className="text-ink-soft tabular-nums">{format.number(count)}</span>}
    </Button>
  );
}
