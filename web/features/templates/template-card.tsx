import { Pencil, Trash2 } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useReminderDay } from "../../components/reminder-days-field";
import { Button } from "../../components/ui/button";
import { CardItem } from "../../components/ui/card-grid";
import { IconButton } from "../../components/ui/icon-button";
import { Separated } from "../../components/ui/separated";
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
  const settings = useSettings(template);
  const { id, name, description, fields } = template;
  return (
    <CardItem
      title={name}
      createdAt={template.createdAt}
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
      {(template.subject || template.message) && (
        <p className="mt-1 truncate font-medium text-ink-soft text-xs" title={template.message ?? undefined}>
          {template.subject ?? template.message}
        </p>
      )}
      {settings.length > 0 && (
        <p className="mt-1 break-words text-ink-soft text-xs">
          <Separated>{settings}</Separated>
        </p>
      )}
      <p className="mt-1.5 text-ink-soft text-xs" title={fields.map((field) => field.name).join(", ")}>
        {t("documents", { count: fields.length })}
        {!mayEdit && `: ${fields.map((field) => field.name).join(", ")}`}
      </p>
    </CardItem>
  );
});

/** What an envelope from the template starts with, beside its texts. */
function useSettings(template: Template): string[] {
  const { t } = useTranslation(["templates", "envelopes", "common"]);
  const dayLabel = useReminderDay();
  const { dueInDays, expiresInDays, reminderDays, reminderFrequency, notificationPreference, language } =
    template;
  const days = (reminderDays ?? []).toSorted((one, other) => other - one);
  return [
    dueInDays !== null && t("card.due", { count: dueInDays }),
    days.length > 0 && t("card.reminders", { reminders: days.map(dayLabel).join(", ") }),
    expiresInDays !== null && t("card.works", { count: expiresInDays }),
    // "None" would contradict the days.
    reminderFrequency &&
      !(reminderFrequency === "none" && days.length > 0) &&
      t("card.reminders", { reminders: t(`envelopes:wizard.reminders.${reminderFrequency}`) }),
    notificationPreference && t(`envelopes:wizard.notifications.${notificationPreference}`),
    language && t(`common:languages.${language}`),
  ].filter((text) => typeof text === "string");
}
