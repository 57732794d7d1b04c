import { AdministrationPage } from "../features/administration/administration-page";

export function AdministrationRoute() {
  return <AdministrationPage />;
}
