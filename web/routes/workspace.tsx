import { useLocation, useNavigate } from "@tanstack/react-router";
import { WorkspacePage } from "../features/workspaces/settings/workspace-page";

export function WorkspaceRoute() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  return <WorkspacePage section={hash} onGone={() => void navigate({ to: "/" })} />;
}
