import { Check, Copy, Download, Printer } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { PRODUCT_NAME } from "../../../../worker/contract/product";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { toast } from "../../../components/ui/toast-store";
import { startDownload } from "../../../lib/start-download";
import { useKeepOpen } from "../../../lib/use-close-on-back";
import { useCopy } from "../../../lib/use-copy";
import { useFormat } from "../../../lib/use-format";

/**
 * Shows recovery codes, only once. Only the button closes it, since Escape, a click outside or the back button would lose them: they move
 * the focus to the button.
 */
export default function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { t } = useTranslation("profile");
  const done = useRef<HTMLButtonElement>(null);
  useKeepOpen(done);
  const { date } = useFormat();
  const origin = t("twoFactor.codesFor", { host: location.host, date: date(new Date().toISOString()) });
  const text = [PRODUCT_NAME, origin, "", ...codes, ""].join("\n");
  const { copied, copy } = useCopy(text, () =>
    toast({ title: t("twoFactor.copyFailed"), destructive: true }),
  );
  return (
    <Dialog
      nested
      onClose={() => done.current?.focus()}
      hideCloseButton
      width="sm"
      title={t("twoFactor.codesTitle")}
      description={t("twoFactor.codesText")}
      footer={
        <Button ref={done} variant="primary" onClick={onClose}>
          {t("twoFactor.saved")}
        </Button>
      }
    >
      <ul className="grid grid-cols-1 gap-2 rounded-control bg-sunken p-4 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => void copy()}>
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          {t(copied ? "twoFactor.copied" : "twoFactor.copy")}
        </Button>
        <Button size="sm" onClick={() => save(text)}>
          <Download aria-hidden />
          {t("twoFactor.download")}
        </Button>
        <Button size="sm" onClick={() => print()}>
          <Printer aria-hidden />
          {t("twoFactor.print")}
        </Button>
      </div>
      <PrintSheet>
        <p className="font-semibold text-lg">{PRODUCT_NAME}</p>
        <p className="mt-1 mb-6">{origin}</p>
        <ul className="font-mono text-base">
          {codes.map((code) => (
            <li key={code} className="py-1">
              {code}
            </li>
          ))}
        </ul>
      </PrintSheet>
      <p role="status" className="sr-only">
        {copied && t("twoFactor.copied")}
      </p>
    </Dialog>
  );
}

/** What is printed instead of the page and its dialogs, however the person prints. Nothing on the screen. */
function PrintSheet({ children }: { children: ReactNode }) {
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.prints = "sheet";
    return () => {
      delete dataset.prints;
    };
  }, []);
  return createPortal(
    <div data-print-sheet aria-hidden className="hidden print:block">
      {children}
    </div>,
    document.body,
  );
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  startDownload(url, `${PRODUCT_NAME.toLowerCase()}-recovery-codes.txt`);
  URL.revokeObjectURL(url);
}
