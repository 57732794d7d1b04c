import { getRouteApi, useRouter } from "@tanstack/react-router";
import { AuthPage } from "../features/auth/auth-page";

const route = getRouteApi("/auth");

export function AuthRoute() {
  const { next, mode, error } = route.useSearch();
  const router = useRouter();
  // The guard of this page sends everybody who is signed in to where they wanted to go.
  return (
    <AuthPage
      forgot={mode === "forgot"}
      failure={error}
      returning={Boolean(next)}
      onDone={() => void router.invalidate()}
    />
  );
}
