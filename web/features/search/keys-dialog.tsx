import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/ui/dialog";

const KEYS = [
  { keys: ["Ctrl K", "⌘ K", "/"], text: "keys.search" },
  { keys: ["?"], text: "keys.help" },
  { keys: ["F8"], text: "keys.notifications" },
  { keys: ["Esc"], text: "keys.close" },
  { keys: ["↑", "↓"], text: "keys.move" },
  { keys: ["Enter"], text: "keys.open" },
] as const;

/** The keys that work on every page. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("search");
  return (
    <Dialog title={t("keys.title")} width="sm" onClose={onClose}>
      <dl className="divide-y divide-line">
        {KEYS.map(({ keys, text }) => (
          <div key={text} className="flex items-center justify-between gap-4 py-2">
            <dt>{t(text)}</dt>
            <dd className="flex shrink-0 gap-1.5">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="rounded-md border border-line-strong bg-sunken px-1.5 py-0.5 font-sans text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
