import { getRouteApi } from "@tanstack/react-router";
import { SchedulesPage } from "../features/schedules/schedules-page";

const route = getRouteApi("/signed-in/schedules");

export function SchedulesRoute() {
  const { tab = "scheduled" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <SchedulesPage
      tab={tab}
      onTab={(next) => void navigate({ to: "/schedules", search: { tab: next }, replace: true })}
    />
  );
}
