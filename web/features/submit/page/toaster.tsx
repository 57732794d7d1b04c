import { ToastRegion } from "../../../components/ui/toaster";
import { useTexts } from "../translation/use-texts";

export function Toaster() {
  const { t } = useTexts();
  return (
    <ToastRegion
      labels={{ region: t("toasts.region"), dismiss: t("toasts.close") }}
      className={
        // Below the page's header, where a step has its heading and no buttons. On a wide screen, beside the column.
        // On a low screen, at the very top: a field with an error is scrolled to the middle. So on the final pages, which
        // have their heading below and buttons at the end.
        "top-14 sm:top-18 sm:w-104 xl:w-[min(26rem,calc((100vw-40rem)/2))] [@media(max-height:40rem)]:top-0 [body:not(:has(main_form))_&]:top-0"
      }
    />
  );
}
