import { lazy, type ReactNode, Suspense, use, useState } from "react";
import { RootLayout } from "../components/layout/root-layout";
import { authPath } from "../features/auth/auth-url";
import { usePrecondition } from "../lib/precondition";
import { LoadingRoute } from "../routes/root";

const ConfirmationDialog = lazy(async () => ({
  default: (await import("../features/confirmation/confirmation-dialog")).ConfirmationDialog,
}));
const RequiredSetUpDialog = lazy(async () => ({
  default: (await import("../features/settings/two-factor/required-set-up")).RequiredSetUpDialog,
}));
const RequiredSetUpPage = lazy(async () => ({
  default: (await import("../features/settings/two-factor/required-set-up")).RequiredSetUpPage,
}));

const openSignIn = () => location.assign(authPath());

type PreconditionsProps = {
  /** Whether the account can do nothing else before it has set up a second factor. */
  needsSecondFactor: Promise<boolean>;
  children: ReactNode;
};

/**
 * Asks the user for what calls need first: over the page, which keeps its input while they wait. A second factor that is
 * known to be missing is set up before the page makes any call; its address stays.
 */
export function Preconditions(props: PreconditionsProps) {
  const confirmation = usePrecondition("reauthentication_required");
  return (
    <>
      <Suspense fallback={<LoadingRoute />}>
        <SetUp {...props} />
      </Suspense>
      {confirmation && (
        <Suspense>
          <ConfirmationDialog methods={confirmation.error.methods} onAnswer={confirmation.answer} />
        </Suspense>
      )}
    </>
  );
}

function SetUp({ needsSecondFactor, children }: PreconditionsProps) {
  const [missing, setMissing] = useState(use(needsSecondFactor));
  const setUp = usePrecondition("second_factor_setup_required");
  if (missing)
    return (
      <RootLayout>
        <RequiredSetUpPage onDone={() => setMissing(false)} onSignedOut={openSignIn} />
      </RootLayout>
    );
  return (
    <>
      {children}
      {setUp && (
        <Suspense>
          <RequiredSetUpDialog onDone={() => setUp.answer(true)} onSignedOut={openSignIn} />
        </Suspense>
      )}
    </>
  );
}
