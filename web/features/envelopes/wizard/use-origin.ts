import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../../../components/ui/toast-store";
import { ApiError } from "../../../lib/api";
import { contactQuery } from "../../contacts/contacts.queries";
import { templatesQuery } from "../../templates/templates.queries";

type OriginOptions = {
  workspaceId: number | undefined;
  templateId: number | undefined;
  contactId: number | undefined;
};

/** The template and the contact that a new envelope is begun with. If one does not exist, a toast says so. */
export function useOrigin({ workspaceId, templateId, contactId }: OriginOptions) {
  const { t } = useTranslation("errors");
  const fromTemplate = templateId !== undefined;
  const forContact = contactId !== undefined;
  const templates = useQuery({
    ...templatesQuery(workspaceId ?? 0),
    enabled: fromTemplate && workspaceId !== undefined,
  });
  const contact = useQuery({ ...contactQuery(contactId ?? 0), enabled: forContact });
  const template = templates.data?.find(({ id }) => id === templateId);
  const noTemplate = fromTemplate && templates.data !== undefined && !template;
  const noContact = !contact.data && contact.error instanceof ApiError && contact.error.status === 404;
  const missing = noTemplate ? "template_not_found" : noContact ? "contact_not_found" : undefined;
  useEffect(() => {
    if (missing) toast({ title: t(missing), destructive: true });
  }, [missing, t]);
  const isLoading = forContact && !contact.data && !noContact;
  return {
    template,
    contact: contact.data,
    /** What is still loading, or failed. */
    pending: fromTemplate && !templates.data ? templates : isLoading ? contact : undefined,
    /** Tells the unsent input of the envelope apart. */
    key: `${fromTemplate ? ` template ${templateId}` : ""}${forContact ? ` contact ${contactId}` : ""}`,
  };
}
