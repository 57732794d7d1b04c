import { useLocation, useNavigate } from "@tanstack/react-router";
import { authPath } from "../features/auth/auth-url";
import { SettingsPage } from "../features/settings/settings-page";

export function ProfileRoute() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  return (
    <SettingsPage
      section={hash}
      onOnboarded={() => void navigate({ to: "/" })}
      onDeleted={() => void navigate({ href: authPath({ deleted: "1" }), reloadDocument: true })}
    />
  );
}
