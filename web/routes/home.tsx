import { EnvelopesPage } from "../features/envelopes/envelopes-page";

export function HomeRoute() {
  return <EnvelopesPage />;
}
