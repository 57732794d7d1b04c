import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { userQuery } from "../auth/auth.queries";

const OnboardingDialog = lazy(() => import("./onboarding-dialog"));

type OnboardingGateProps = {
  /** Another dialog is open. */
  suppressed: boolean;
};

/** Opens onboarding on each visit until it is completed. If it is dismissed, it stays closed for this visit. */
export function OnboardingGate({ suppressed }: OnboardingGateProps) {
  const { data: user } = useQuery(userQuery);
  const [dismissed, setDismissed] = useState(false);
  if (!user || user.onboardingCompleted || dismissed || suppressed) return null;
  return (
    <Suspense>
      <OnboardingDialog user={user} onClose={() => setDismissed(true)} />
    </Suspense>
  );
}
