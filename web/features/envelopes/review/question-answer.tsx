import { useMutation } from "@tanstack/react-query";
import { Copy, Eye } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Disclosure } from "../../../components/ui/disclosure";
import { IconButton } from "../../../components/ui/icon-button";
import { toast } from "../../../components/ui/toast-store";
import { api, json } from "../../../lib/api";
import { useRole } from "../../workspaces/workspaces.queries";
import type { Envelope } from "../envelopes.queries";
import { type AnswerValue, useAnswerText } from "./answer-text";
import type { EnvelopeDocument } from "./document-answers";

/** How long a confidential answer is shown. */
const SHOWN_MS = 60_000;

/** The submitted answer to a question, with those that it has replaced. */
export function QuestionAnswer({ envelope, document }: { envelope: Envelope; document: EnvelopeDocument }) {
  const { t } = useTranslation(["questions", "review"]);
  const text = useAnswerText(document.kind);
  const { answer, earlier = [], confidential } = document;
  if (!answer) return document.answered ? <p className="text-ink-soft">{t("deleted")}</p> : null;
  return (
    <div className="space-y-2">
      {confidential || answer.value === null ? (
        <ConfidentialAnswer envelope={envelope} document={document} />
      ) : (
        <ShownAnswer text={text(answer.value)} name={document.name} />
      )}
      {earlier.length > 0 && (
        <Disclosure summary={t("earlier")}>
          <ul className="mt-2 space-y-1 text-ink-soft">
            {earlier.map(({ value, createdAt }) => (
              <li key={createdAt} className="whitespace-pre-wrap break-words">
                {value === null ? t("confidential") : text(value)}
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  );
}

function ShownAnswer({ text, name }: { text: string; name: string }) {
  const { t } = useTranslation(["questions", "envelopes"]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: t("copied") });
    } catch {
      toast({ title: t("envelopes:detail.copyFailed"), destructive: true });
    }
  };
  return (
    <div className="flex items-start gap-2">
      <p className="min-w-0 flex-1 whitespace-pre-wrap break-words">{text}</p>
      <IconButton
        icon={Copy}
        label={t("copyNamed", { name })}
        tip={t("copy")}
        className="-my-1.5"
        onClick={() => void copy()}
      />
    </div>
  );
}

/** Shown on request, for a minute. */
function ConfidentialAnswer({ envelope, document }: { envelope: Envelope; document: EnvelopeDocument }) {
  const { t } = useTranslation("questions");
  const text = useAnswerText(document.kind);
  const [value, setValue] = useState<AnswerValue | null>(null);
  const { mayEdit: mayShow } = useRole(envelope.workspaceId);
  const reveal = useMutation({
    mutationFn: () =>
      json(
        api.requests[":id"].answers[":documentId"].reveal.$post({
          param: { id: String(envelope.id), documentId: String(document.id) },
        }),
      ),
    onSuccess: ({ value }) => setValue(value),
  });
  useEffect(() => {
    if (value === null) return;
    const timer = setTimeout(() => setValue(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [value]);
  if (value !== null) return <ShownAnswer text={text(value)} name={document.name} />;
  return (
    <div className="flex items-center gap-2">
      <p className="min-w-0 flex-1 text-ink-soft">{t("confidentialAnswer")}</p>
      {mayShow && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={t("showNamed", { name: document.name })}
          loading={reveal.isPending}
          onClick={() => reveal.mutate()}
        >
          <Eye aria-hidden />
          {t("show")}
        </Button>
      )}
    </div>
  );
}
