import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { cx } from "../../lib/cx";
import { type ExpiringDocument, useStopRenewal } from "./expiring.queries";
import { ValidityForm, ValidityText } from "./review/validity";

type ExpiringDocumentsProps = {
  documents: readonly ExpiringDocument[];
  label: string;
  mayChange: boolean;
  /** Whether each says whose it is. */
  withRecipient?: boolean;
  onOpen: (envelopeId: number) => void;
};

/** Documents that expire, each with what can be done about it. */
export function ExpiringDocuments({ documents, label, ...rest }: ExpiringDocumentsProps) {
  return (
    <ul
      aria-label={label}
      className={cx(
        "divide-y divide-line border-line",
        rest.withRecipient ? "rounded-card border bg-surface *:px-4" : "border-y",
      )}
    >
      {documents.map((document) => (
        <Item key={document.documentId} document={document} {...rest} />
      ))}
    </ul>
  );
}

type ItemProps = Omit<ExpiringDocumentsProps, "documents" | "label"> & { document: ExpiringDocument };

function Item({ document, mayChange, withRecipient = false, onOpen }: ItemProps) {
  const { t } = useTranslation("questions");
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const stop = useStopRenewal();
  const { name, recipient, requestId, renewal, renewDays } = document;
  return (
    <li className="space-y-2 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-48">
          <button
            type="button"
            onClick={() => onOpen(renewal?.requestId ?? requestId)}
            className="max-w-full rounded-sm text-left font-medium [overflow-wrap:anywhere] hover:underline"
          >
            {[withRecipient && (recipient.name || recipient.email), name].filter(Boolean).join(" · ")}
          </button>
          <p className="text-xs">
            <ValidityText {...document} />
          </p>
        </div>
        {mayChange && !editing && (
          <div className="flex gap-2">
            {renewDays !== null && !renewal && (
              <Button
                size="sm"
                loading={stop.isPending}
                aria-label={t("validity.stopNamed", { name })}
                onClick={() => stop.mutate(document)}
              >
                {t("validity.stop")}
              </Button>
            )}
            <Button
              ref={button}
              size="sm"
              aria-label={t("validity.changeDateNamed", { name })}
              onClick={() => setEditing(true)}
            >
              {t("validity.changeDate")}
            </Button>
          </div>
        )}
      </div>
      {editing && (
        <ValidityForm
          envelopeId={requestId}
          document={{ ...document, id: document.documentId }}
          onClose={() => {
            flushSync(() => setEditing(false));
            button.current?.focus();
          }}
        />
      )}
    </li>
  );
}
