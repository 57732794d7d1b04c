import { useTranslation } from "react-i18next";
import { useDescribeDocuments } from "../../../components/describe-documents";
import { useReminderDay } from "../../../components/reminder-fields";
import type { ShownField } from "../../../lib/differences";
import { regionalLocale } from "../../../lib/format";
import { formatSending } from "../../../lib/format-sending";
import { formatPhone } from "../../../lib/phone";
import { useFormat } from "../../../lib/use-format";
import { memberName } from "../../workspaces/members/members.queries";
import { useTeam } from "../assignee";
import type { WizardValues } from "./wizard.schema";

/** The fields of the wizard and their values, as it shows them; null for those that have none of their own. */
export function useDescribeValues(workspaceId: number | undefined) {
  const { t, i18n } = useTranslation(["envelopes", "common", "questions", "schedules"]);
  const describeDocuments = useDescribeDocuments();
  const reminderDay = useReminderDay();
  const format = useFormat();
  const team = useTeam(workspaceId);
  const day = (value: string) => value && format.day(value);
  return (values: WizardValues): ShownField[] => {
    const assignee = team?.members.find(({ userId }) => userId === values.assigneeId);
    const sending = formatSending(values.sendOn, values.sendHour, regionalLocale(i18n.language));
    const fields: Record<keyof WizardValues, ShownField | ShownField[] | null> = {
      recipientName: { label: t("wizard.recipientName"), text: values.recipientName },
      recipientEmail: { label: t("wizard.recipientEmail"), text: values.recipientEmail },
      countryCode: null,
      phone: {
        label: t("wizard.phone"),
        text: values.phone ? `${values.countryCode} ${formatPhone(values)}` : (values.storedPhone ?? ""),
      },
      storedPhone: null,
      contactId: null,
      language: {
        label: t("common:language"),
        text: values.language ? t(`common:languages.${values.language}`) : t("common:noLanguage"),
      },
      subject: { label: t("wizard.subject"), text: values.subject },
      message: { label: t("wizard.message"), text: values.message },
      templateId: null,
      documents: describeDocuments(t("wizard.steps.documents"), values.documents),
      prefill: { label: t("questions:prefill"), text: t(values.prefill ? "questions:yes" : "questions:no") },
      sendOn: {
        label: t("schedules:send.legend"),
        text: values.sendOn ? `${sending.date}, ${sending.time}` : t("schedules:send.now"),
      },
      sendHour: null,
      dueDate: { label: t("wizard.due"), text: day(values.dueDate) },
      expirationDate: { label: t("wizard.expiration"), text: day(values.expirationDate) },
      reminderFrequency: {
        label: t("wizard.reminder"),
        text: t(`wizard.reminders.${values.reminderFrequency}`),
      },
      reminderDays: {
        label: t("reminderDays.legend"),
        text: new Intl.ListFormat(i18n.language).format(values.reminderDays.map(reminderDay)),
      },
      notificationPreference: {
        label: t("wizard.notify"),
        text: t(`wizard.notifications.${values.notificationPreference}`),
      },
      assigneeId: { label: t("assignee.label"), text: assignee ? memberName(assignee) : "" },
      updatedAt: null,
    };
    return Object.values(fields)
      .flat()
      .filter((field) => field !== null);
  };
}
