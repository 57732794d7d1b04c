import { getRouteApi } from "@tanstack/react-router";
import { ResetPage } from "../features/auth/reset-page";

const route = getRouteApi("/reset/$token");

export function ResetRoute() {
  const { token } = route.useParams();
  return <ResetPage token={token} />;
}
