import { useQuery } from "@tanstack/react-query";
import { ChevronDown, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";
import { userQuery } from "../auth/auth.queries";
import { MessageForm } from "./message-form";

const ANSWERS = ["send", "link", "change", "safe"] as const;

/** The help chat, a non-modal panel. Escape closes it and returns the focus. */
export function SupportPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["support", "common"]);
  const { data: user } = useQuery(userQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <section
      aria-label={t("label")}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
      className="rise fixed right-4 bottom-4 z-20 flex max-h-[min(40rem,calc(100dvh-6rem))] w-90 max-w-[calc(100vw-2rem)] flex-col rounded-card border border-line bg-surface shadow-float short:block short:overflow-y-auto"
    >
      <div className="flex items-center justify-between gap-3 border-line border-b py-2.5 pr-3 pl-4">
        <h2 ref={heading} tabIndex={-1} className="text-lg">
          {t("title")}
        </h2>
        <IconButton icon={X} label={t("common:close")} side="bottom" onClick={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-4">
        <p className="text-ink-soft">{t("intro")}</p>
        <div className="mt-3 divide-y divide-line border-line border-y">
          {ANSWERS.map((name) => (
            <details key={name} className="group" name="help">
              <summary className="flex cursor-pointer list-none items-start justify-between gap-3 rounded-md py-2.5 font-medium [&::-webkit-details-marker]:hidden">
                {t(`answers.${name}.question`)}
                <ChevronDown
                  aria-hidden
                  className="mt-0.5 size-4 shrink-0 text-ink-soft transition-transform duration-150 group-open:rotate-180"
                />
              </summary>
              <p className="pb-3 text-ink-soft">{t(`answers.${name}.answer`)}</p>
            </details>
          ))}
        </div>
      </div>
      {user && <MessageForm email={user.email} />}
    </section>
  );
}
