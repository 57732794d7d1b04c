import { lazy, type ReactNode, Suspense, use, useEffect, useState } from "react";
import { RootLayout } from "../components/layout/root-layout";
import { lazyComponent } from "../components/ui/lazy-component";
import { authPath } from "../features/auth/auth-url";
import { type ApiError, onPrecondition, type Precondition } from "../lib/api";
import { createStore } from "../lib/store";
import { LoadingRoute } from "../routes/root";

type Question = {
  /** Of the first call that waits. */
  error: ApiError;
  /** With true, the calls are repeated. */
  answer: (met: boolean) => void;
};

/** Asks once, however many calls wait. */
function createQuestion() {
  const current = createStore<Question | null>(null);
  let asking: Promise<boolean> | undefined;
  const ask = (error: ApiError) => {
    asking ??= new Promise<boolean>((resolve) => {
      current.set({
        error,
        answer: (met) => {
          asking = undefined;
          current.set(null);
          resolve(met);
        },
      });
    });
    return asking;
  };
  return { current, ask };
}

const QUESTIONS = {
  reauthentication_required: createQuestion(),
  second_factor_setup_required: createQuestion(),
} satisfies Record<Precondition, unknown>;

/** The question to the user about this precondition, while calls wait for the answer. */
function usePrecondition(code: Precondition): Question | null {
  const { current, ask } = QUESTIONS[code];
  useEffect(() => {
    const stop = onPrecondition(code, ask);
    return () => {
      stop();
      current.get()?.answer(false);
    };
  }, [code, current, ask]);
  return current.use();
}

const ConfirmationDialog = lazyComponent(() => import("../features/confirmation/confirmation-dialog"));
const RequiredSetUpDialog = lazyComponent(async () => ({
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
        <ConfirmationDialog methods={confirmation.error.methods} onAnswer={confirmation.answer} />
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
      {setUp && <RequiredSetUpDialog onDone={() => setUp.answer(true)} onSignedOut={openSignIn} />}
    </>
  );
}
