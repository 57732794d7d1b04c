import { type ComponentProps, lazy, Suspense } from "react";
import { useCloseOnBack } from "../../lib/use-close-on-back";

const LoadedDialog = lazy(async () => ({ default: (await import("./alert-dialog")).ConfirmDialog }));

/** Asks before something is lost. Its code is loaded at the first input, or when it first opens. */
export function ConfirmDialog(props: ComponentProps<typeof LoadedDialog>) {
  useCloseOnBack(props.open, props.onCancel);
  return props.open ? (
    <Suspense>
      <LoadedDialog {...props} />
    </Suspense>
  ) : null;
}
