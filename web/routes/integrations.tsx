import { IntegrationsPage } from "../features/integrations/integrations-page";

export function IntegrationsRoute() {
  return <IntegrationsPage />;
}
