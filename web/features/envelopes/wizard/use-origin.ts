import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../../../components/ui/toast-store";
import { ApiError } from "../../../lib/api";
import { contactQuery } from "../../contacts/contacts.queries";
import { templateQuery } from "../../templates/templates.queries";
import { useSelectedWorkspace, useWorkspaceOf } from "../../workspaces/workspaces.queries";
import { envelopeQuery } from "../envelopes.queries";

/** What a new envelope begins with: another one that it copies, or its template and the contact that it is for. */
export type NewEnvelopeOrigin = Record<"copyId" | "templateId" | "contactId", number | undefined>;

/** `sourceId` is the envelope that is edited or copied. */
type OriginOptions = Omit<NewEnvelopeOrigin, "copyId"> & { sourceId: number | undefined };

/**
 * What a form begins with: an envelope, or the template and the contact of a new one. If one of these does not exist, a
 * toast says so.
 */
export function useOrigin({ sourceId, templateId, contactId }: OriginOptions) {
  const { t } = useTranslation("errors");
  const workspace = useSelectedWorkspace();
  const isNew = sourceId === undefined;
  const envelope = useQuery({
    ...envelopeQuery(sourceId ?? 0),
    enabled: !isNew,
  });
  useWorkspaceOf(envelope.data);
  const fromTemplate = isNew && templateId !== undefined;
  const forContact = isNew && contactId !== undefined;
  const template = useQuery({ ...templateQuery(templateId ?? 0), enabled: fromTemplate });
  const contact = useQuery({ ...contactQuery(contactId ?? 0), enabled: forContact });
  const noTemplate = isMissing(template);
  const noContact = isMissing(contact);
  const missing = noTemplate ? "template_not_found" : noContact ? "contact_not_found" : undefined;
  useEffect(() => {
    if (missing) toast({ title: t(missing), destructive: true });
  }, [missing, t]);
  const isLoading = forContact && !contact.data && !noContact;
  const pendingStart =
    fromTemplate && !template.data && !noTemplate ? template : isLoading ? contact : undefined;
  const keyOfStart = `${fromTemplate ? ` template ${templateId}` : ""}${forContact ? ` contact ${contactId}` : ""}`;
  return {
    envelope: envelope.data,
    template: fromTemplate ? template.data : undefined,
    contact: contact.data,
    workspace,
    /** Where the form's envelope belongs. */
    workspaceId: (envelope.data ?? contact.data)?.workspaceId ?? workspace?.id,
    /** What is still loading, or failed. */
    pending: isNew ? pendingStart : envelope.data ? undefined : envelope,
    /** Tells the unsent input of a new envelope apart. */
    key: isNew ? keyOfStart : ` copy ${sourceId}`,
  };
}

const isMissing = ({ data, error }: { data: unknown; error: Error | null }) =>
  !data && error instanceof ApiError && error.status === 404;
