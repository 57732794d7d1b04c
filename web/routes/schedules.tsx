import { getRouteApi } from "@tanstack/react-router";
import { ExpiringTab } from "../features/envelopes/expiring-tab";
import { SchedulesPage } from "../features/schedules/schedules-page";

const route = getRouteApi("/signed-in/schedules");

export function SchedulesRoute() {
  const { schedules: tab } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <SchedulesPage
      tab={tab}
      expiring={ExpiringTab}
      onTab={(next) => void navigate({ to: "/schedules", search: { schedules: next }, replace: true })}
    />
  );
}
