import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { userQuery } from "../auth/auth.queries";

const OnboardingDialog = lazy(() => import("./onboarding-dialog"));

type OnboardingGateProps = {
  /** The page was opened for something else, which onboarding must not lie over. */
  busy: boolean;
};

/** Opens onboarding on each visit until it is completed; put aside, it stays away for this visit. */
export function OnboardingGate({ busy }: OnboardingGateProps) {
  const { data: user } = useQuery(userQuery);
  const [aside, setAside] = useState(busy);
  if (!user || user.onboardingCompleted || aside) return null;
  return (
    <Suspense>
      <OnboardingDialog user={user} onClose={() => setAside(true)} />
    </Suspense>
  );
}
