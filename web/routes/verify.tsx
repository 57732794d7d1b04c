import { getRouteApi } from "@tanstack/react-router";
import { VerifyPage } from "../features/auth/verify-page";

const route = getRouteApi("/verify/$token");

export function VerifyRoute() {
  const { token } = route.useParams();
  return <VerifyPage token={token} />;
}
