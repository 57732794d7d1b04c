import { Pencil, Trash2 } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { CardItem } from "../../components/ui/card-grid";
import { IconButton } from "../../components/ui/icon-button";
import type { Template } from "./templates.queries";

type TemplateCardProps = {
  template: Template;
  mayEdit: boolean;
  onUse: (id: number) => void;
  onEdit: (id: number) => void;
  onDelete: (template: Template) => void;
};

export const TemplateCard = memo(function TemplateCard(props: TemplateCardProps) {
  const { template, mayEdit, onUse, onEdit, onDelete } = props;
  const { t } = useTranslation(["templates", "common"]);
  const { id, name, description, fields } = template;
  return (
    <CardItem
      title={name}
      onOpen={mayEdit && (() => onEdit(id))}
      actions={
        mayEdit && (
          <>
            <Button size="sm" variant="soft" aria-label={t("useNamed", { name })} onClick={() => onUse(id)}>
              {t("use")}
            </Button>
            <span className="inline-flex gap-0.5">
              <IconButton
                icon={Pencil}
                label={t("editNamed", { name })}
                tip={t("common:edit")}
                onClick={() => onEdit(id)}
              />
              <IconButton
                icon={Trash2}
                tone="danger"
                label={t("deleteNamed", { name })}
                tip={t("common:delete")}
                onClick={() => onDelete(template)}
              />
            </span>
          </>
        )
      }
    >
      {description && (
        <p className="mt-1 line-clamp-3 break-words text-ink-soft" title={description}>
          {description}
        </p>
      )}
      <p className="mt-1.5 text-ink-soft text-xs" title={fields.map((field) => field.name).join(", ")}>
        {t("documents", { count: fields.length })}
        {!mayEdit && `: ${fields.map((field) => field.name).join(", ")}`}
      </p>
    </CardItem>
  );
});
