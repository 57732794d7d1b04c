import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { Eye, EyeOff, LayoutTemplate } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { UpdateKind } from "../../../../worker/contract/notifications";
import { Button } from "../../../components/ui/button";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { Separated } from "../../../components/ui/separated";
import { api, json } from "../../../lib/api";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone } from "../../auth/auth.queries";
import { Line, RecipientPreviews } from "../message-previews";
import { SaveTemplateDialog } from "../save-template-dialog";
import { type FoundPlaceholders, PlaceholderNotes } from "./placeholders";
import type { WizardValues } from "./wizard.schema";
import { toPayload } from "./wizard-values";

type EnvelopeSummaryProps = {
  workspaceId: number | undefined;
  sent: boolean;
  /** The contact to which the recipient's address belongs. */
  contactId: number | null;
  placeholders: FoundPlaceholders | undefined;
};

/** What will be sent, in short; the messages themselves on demand. */
export function EnvelopeSummary({ workspaceId, sent, contactId, placeholders }: EnvelopeSummaryProps) {
  const { t } = useTranslation("envelopes");
  const { control } = useFormContext<WizardValues>();
  const values = useWatch({ control }) as WizardValues;
  const [saving, setSaving] = useState(false);
  const timeZone = useAccountTimeZone();
  return (
    <Summary
      action={
        <Button size="sm" className="sm:ml-auto" onClick={() => setSaving(true)}>
          <LayoutTemplate aria-hidden />
          {t("saveTemplate.action")}
        </Button>
      }
      recipient={
        <Line label={t("columns.recipient")}>
          <Separated>
            {values.recipientName}
            {values.recipientEmail}
          </Separated>
        </Line>
      }
      subject={placeholders?.subject ?? values.subject}
      values={values}
      notes={
        <>
          <PlaceholderNotes found={placeholders} />
          {saving && (
            <SaveTemplateDialog
              values={values}
              day={values.sendOn || today(timeZone)}
              workspaceId={workspaceId}
              onClose={() => setSaving(false)}
            />
          )}
        </>
      }
    >
      <Messages
        payload={{ ...toPayload(values, workspaceId), contactId }}
        kind={sent ? "update" : "invitation"}
      />
    </Summary>
  );
}

type SummaryProps = {
  /** Beside the button that shows the messages. */
  action?: ReactNode;
  recipient: ReactNode;
  /** With its placeholders replaced. */
  subject: string;
  values: WizardValues;
  notes: ReactNode;
  children: ReactNode;
};

/** The messages are opened at the lower end of what is visible. */
const scrollToSummary = (panel: HTMLElement | null) =>
  panel?.closest("section")?.scrollIntoView({ block: "start" });

/** What will be sent in lines, and the messages on demand. */
export function Summary({ action, recipient, subject, values, notes, children }: SummaryProps) {
  const { t } = useTranslation("envelopes");
  const [open, setOpen] = useState(false);
  const panel = useId();
  const required = values.documents.filter((document) => document.required).length;
  return (
    <section className="rounded-card bg-sunken p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h4 className="font-semibold max-sm:w-full">{t("wizard.look.title")}</h4>
        {action}
        <Button
          size="sm"
          aria-expanded={open}
          aria-controls={open ? panel : undefined}
          onClick={() => setOpen(!open)}
        >
          {open ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          {t(open ? "wizard.look.hide" : "wizard.look.show")}
        </Button>
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {recipient}
        <Line label={t("wizard.subject")}>{subject}</Line>
        <Line label={t("wizard.steps.documents")}>
          <span>{values.documents.map(({ name }) => name).join(", ")}</span>
          {required > 0 && (
            <span className="text-ink-soft"> · {t("wizard.look.required", { count: required })}</span>
          )}
        </Line>
      </dl>
      {notes}
      {open && (
        <div id={panel} ref={scrollToSummary} className="mt-3 min-h-[80dvh] border-line border-t pt-3">
          {children}
        </div>
      )}
    </section>
  );
}

/** The mail and the text message, as the server would write them. */
export function Messages({ payload, kind }: { payload: ReturnType<typeof toPayload>; kind: UpdateKind }) {
  const { t } = useTranslation("envelopes");
  const query = useQuery(previewQuery(kind, payload));
  if (!query.data) return <QueryPlaceholder query={query} failed={t("wizard.look.failed")} rowClass="h-24" />;
  return <RecipientPreviews {...query.data} />;
}

const readPreview = (kind: UpdateKind, payload: EnvelopePayload) =>
  json(api.requests.preview.$post({ query: { kind }, json: { ...payload, isDraft: true } }));

type EnvelopePayload = Parameters<typeof api.requests.preview.$post>[0]["json"];

/** The messages that the recipient would get now. */
const previewQuery = (kind: UpdateKind, payload: EnvelopePayload) =>
  queryOptions({
    queryKey: ["preview", kind, payload],
    queryFn: () => readPreview(kind, payload),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
