import { FileText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { Card } from "../../../components/ui/card";
import type { Envelope } from "../envelopes.queries";

export function RequestedDocuments({ documents }: Pick<Envelope, "documents">) {
  const { t } = useTranslation(["envelopes", "common"]);
  return (
    <Card title={t("detail.requested")}>
      <ul className="-my-3 divide-y divide-line">
        {documents.map(({ name, description, required, allowedFileTypes }) => (
          <li key={name} className="flex gap-3 py-3">
            <FileText aria-hidden className="mt-0.5 size-4.5 shrink-0 text-ink-soft" />
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <p className="min-w-0 break-words font-medium">{name}</p>
                <Badge tone={required ? "default" : "secondary"}>
                  {required ? t("common:required") : t("common:optional")}
                </Badge>
              </div>
              {description && <p className="mt-0.5 break-words text-ink-soft">{description}</p>}
              <p className="mt-0.5 text-ink-soft text-xs">
                {t("detail.accepted", { types: allowedFileTypes.join(", ") })}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
