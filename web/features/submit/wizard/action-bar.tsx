import { ArrowLeft, ArrowRight, Send } from "lucide-react";
import { Button } from "../../../components/ui/button";
import { T, useTexts } from "../translation/use-texts";

type ActionBarProps = {
  step: number;
  sending: boolean;
  /** Whether sending can still be cancelled. */
  cancellable: boolean;
  onPrevious: () => void;
  onCancel: () => void;
};

/** Allows labels to wrap on phones. */
const TIGHT =
  "max-[419px]:h-auto max-[419px]:min-h-11 max-[419px]:shrink max-[419px]:whitespace-normal max-[419px]:px-4 " +
  "max-[419px]:py-1.5 max-[419px]:leading-5 max-[379px]:px-3";

/** Sticks to the bottom on a phone. The button at the right submits the form. */
export function ActionBar({ step, sending, cancellable, onPrevious, onCancel }: ActionBarProps) {
  const { t } = useTexts();
  const last = step === 2;
  return (
    <div className="sticky bottom-0 z-10 flex items-center justify-between huge:flex-wrap gap-3 border-line border-t bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:static sm:rounded-b-card sm:px-7 sm:py-4">
      {sending ? (
        <Button size="lg" variant="secondary" disabled={!cancellable} onClick={onCancel} className={TIGHT}>
          {t("cancelUpload")}
        </Button>
      ) : (
        <Button size="lg" variant="secondary" onClick={onPrevious} disabled={step === 0} className={TIGHT}>
          <ArrowLeft aria-hidden className="max-[359px]:hidden" />
          <T k="previous" />
        </Button>
      )}
      {last ? (
        <Button key="submit" type="submit" size="lg" variant="primary" loading={sending} className={TIGHT}>
          {!sending && <Send aria-hidden className="max-[419px]:hidden" />}
          {t(sending ? "uploading" : "submit")}
        </Button>
      ) : (
        <Button key="next" type="submit" size="lg" variant="primary" className="min-w-28 huge:min-w-0">
          <T k="next" />
          <ArrowRight aria-hidden />
        </Button>
      )}
    </div>
  );
}
