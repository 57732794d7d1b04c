import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/ui/notice";
import { useFormat } from "../../lib/use-format";
import { instanceQuery } from "./administration.queries";

/** What is wrong with the instance, if anything is. */
export function Alerts() {
  const { t } = useTranslation("administration");
  const format = useFormat();
  const { data } = useQuery(instanceQuery);
  if (!data || data.alerts.length === 0) return null;
  return (
    <Notice icon={TriangleAlert} title={t("alerts.title")}>
      <ul>
        {data.alerts.map(({ cause, since }) => (
          <li key={cause}>
            {t(`alerts.${cause}`)} ({t("alerts.since", { when: format.when(since) })})
          </li>
        ))}
      </ul>
    </Notice>
  );
}
