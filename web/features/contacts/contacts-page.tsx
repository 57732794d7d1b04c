import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { usePageTitle } from "../../lib/use-page-title";

export function ContactsPage() {
  const { t } = useTranslation("contacts");
  usePageTitle(t("title"));
  return <PageHeader title={t("title")} />;
}
