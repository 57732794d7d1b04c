import { useQuery } from "@tanstack/react-query";
import { Eye, EyeOff } from "lucide-react";
import { useId, useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { Line, MessagePreviews } from "../message-previews";
import { previewQuery } from "./preview.queries";
import type { WizardValues } from "./wizard.schema";
import { toPayload } from "./wizard-values";

type LastLookProps = {
  workspaceId: number | undefined;
  /** The envelope was sent before. */
  sent: boolean;
};

/** What will be sent, in short; the messages themselves on demand. */
export function LastLook({ workspaceId, sent }: LastLookProps) {
  const { t } = useTranslation("envelopes");
  const { control } = useFormContext<WizardValues>();
  const values = useWatch({ control }) as WizardValues;
  const [open, setOpen] = useState(false);
  const panel = useId();
  const required = values.documents.filter((document) => document.required).length;
  const recipient = [values.recipientName, values.recipientEmail].filter(Boolean).join(" · ");
  return (
    <section className="rounded-card bg-sunken p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h4 className="font-semibold">{t("wizard.look.title")}</h4>
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
        <Line label={t("columns.recipient")}>{recipient}</Line>
        <Line label={t("wizard.subject")}>{values.subject}</Line>
        <Line label={t("wizard.steps.documents")}>
          {values.documents.map(({ name }) => name).join(", ")}
          {required > 0 && (
            <span className="text-ink-soft"> · {t("wizard.look.required", { count: required })}</span>
          )}
        </Line>
      </dl>
      {open && (
        <div id={panel} className="mt-3 border-line border-t pt-3">
          <Messages payload={toPayload(values, workspaceId)} kind={sent ? "update" : "invitation"} />
        </div>
      )}
    </section>
  );
}

type MessagesProps = { payload: ReturnType<typeof toPayload>; kind: "invitation" | "update" };

/** The mail and the text message, as the server would write them. */
function Messages({ payload, kind }: MessagesProps) {
  const { t } = useTranslation("envelopes");
  const query = useQuery(previewQuery(kind, payload));
  if (!query.data) return <QueryPlaceholder query={query} failed={t("wizard.look.failed")} rowClass="h-24" />;
  return <MessagePreviews {...query.data} />;
}
