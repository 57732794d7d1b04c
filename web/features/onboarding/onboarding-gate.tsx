import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { userQuery } from "../auth/auth.queries";

const OnboardingDialog = lazy(() => import("./onboarding-dialog"));

type OnboardingGateProps = {
  /** The page was opened for something else, which onboarding must not lie over. */
  suppressed: boolean;
};

/** Opens onboarding on each visit until it is completed; put aside, it stays away for this visit. */
export function OnboardingGate({ suppressed }: OnboardingGateProps) {
  const { data: user } = useQuery(userQuery);
  const [dismissed, setDismissed] = useState(suppressed);
  if (!user || user.onboardingCompleted || dismissed) return null;
  return (
    <Suspense>
      <OnboardingDialog user={user} onClose={() => setDismissed(true)} />
    </Suspense>
  );
}
