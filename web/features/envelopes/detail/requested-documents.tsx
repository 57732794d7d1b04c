import { FileText, Paperclip } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { Disclosure } from "../../../components/ui/disclosure";
import { FileName } from "../../../components/ui/file-name";
import { useEntryCount } from "../../../lib/use-format";
import type { Envelope } from "../envelopes.queries";
import { useAnswerText } from "../review/answer-text";
import { answersOf, type EnvelopeDocument, openDocuments } from "../review/document-answers";
import { DocumentActions, DocumentReason, DocumentStateBadge, shownState } from "../review/document-state";
import type { Review } from "../review/use-review";
import { FoldedSection, LONG_LIST, Section } from "./section";

type RequestedDocumentsProps = {
  envelope: Envelope;
  review: Review;
  onAskAgain: (document: EnvelopeDocument) => void;
};

/** What is still open. Answered documents are folded, unless nothing is open. */
export function RequestedDocuments({ envelope, ...rest }: RequestedDocumentsProps) {
  const { t } = useTranslation(["envelopes", "review", "questions"]);
  const { countOf } = useEntryCount();
  const { documents, prefill } = envelope;
  const open = openDocuments(envelope);
  const answered = documents.filter((document) => !open.includes(document));
  const answers = new Set(answersOf(envelope).map(({ document }) => document));
  const listed = open.length > 0 ? open : documents;
  const shown = listed.length > LONG_LIST ? listed.slice(0, LONG_LIST - 2) : listed;
  const list = (entries: EnvelopeDocument[]) => (
    <ul className="divide-y divide-line *:last:pb-0">
      {entries.map((document) => (
        <RequestedDocument
          key={document.id}
          document={document}
          decidedAbove={answers.has(document)}
          envelope={envelope}
          {...rest}
        />
      ))}
    </ul>
  );
  // Each of them is listed above, with its files.
  if (open.length === 0 && documents.every((document) => answers.has(document)))
    return (
      <FoldedSection title={t("detail.requested")} hint={countOf(documents)}>
        {prefill && <p className="text-ink-soft text-xs">{t("questions:prefilled")}</p>}
        {list(documents)}
      </FoldedSection>
    );
  return (
    <Section title={t("detail.requested")}>
      {prefill && <p className="mb-2 text-ink-soft text-xs">{t("questions:prefilled")}</p>}
      {list(shown)}
      {shown.length < listed.length && (
        <Disclosure
          className="mt-3 border-line border-t pt-3"
          summary={t("timeline.more", { count: listed.length - shown.length })}
        >
          {list(listed.slice(shown.length))}
        </Disclosure>
      )}
      {open.length > 0 && answered.length > 0 && (
        <Disclosure
          className="mt-3 border-line border-t pt-3"
          summary={t("review:answered", { count: answered.length })}
        >
          <div className="mt-3">{list(answered)}</div>
        </Disclosure>
      )}
    </Section>
  );
}

type RequestedDocumentProps = RequestedDocumentsProps & {
  document: EnvelopeDocument;
  /** Its answer is listed in "Submitted Documents", with the decisions. */
  decidedAbove: boolean;
};

function RequestedDocument({ document, decidedAbove, envelope, review, onAskAgain }: RequestedDocumentProps) {
  const { t } = useTranslation(["envelopes", "common", "questions"]);
  const item = useRef<HTMLLIElement>(null);
  const { name, description, required, reasonAllowed } = document;
  const facts = useFacts(document, envelope.documents);
  const state = shownState(document, review);
  const reviewable = !decidedAbove && (review.open || state === "returned");
  return (
    <li ref={item} tabIndex={-1} className="flex gap-3 py-3 outline-none">
      <FileText aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <p className="min-w-0 break-words font-medium">{name}</p>
          <span className="flex flex-wrap gap-1">
            {(state === "returned" || state === "toReturn" || state === "hidden") && (
              <DocumentStateBadge state={state} />
            )}
            <Badge tone={required ? "default" : "secondary"}>
              {required ? t("common:required") : t("common:optional")}
            </Badge>
          </span>
        </div>
        {description && <p className="mt-0.5 break-words text-ink-soft">{description}</p>}
        <p className="mt-0.5 text-ink-soft text-xs">
          {[
            ...facts,
            required &&
              reasonAllowed &&
              t(document.kind === "file" ? "common:document.reasonAllowed" : "questions:reasonAllowed"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {document.attachments.map(({ id, fileName }) => (
          <p key={id} className="mt-0.5 flex min-w-0 items-center gap-1.5 text-xs">
            <Paperclip aria-hidden className="size-3.5 shrink-0 text-ink-soft" />
            <a
              href={`/api/attachments/${id}`}
              download={fileName}
              className="min-w-0 text-accent hover:underline"
            >
              <FileName name={fileName} />
            </a>
          </p>
        ))}
        {reviewable && (
          <div className="mt-1.5 space-y-1.5">
            <DocumentReason document={document} review={review} />
            <div className="flex flex-wrap gap-1 empty:hidden">
              <DocumentActions
                document={document}
                review={review}
                waiting={envelope.status === "pending"}
                files={[]}
                onAskAgain={() => onAskAgain(document)}
                onDecided={() => item.current?.focus({ preventScroll: true })}
              />
            </div>
          </div>
        )}
      </div>
    </li>
  );
}

/** What is accepted as an answer, and when the entry is asked. */
function useFacts(document: EnvelopeDocument, documents: EnvelopeDocument[]): (string | false)[] {
  const { t } = useTranslation(["envelopes", "common", "questions"]);
  const { kind, allowedFileTypes, multiple, options, min, max, decimals, format, confidential, showIf } =
    document;
  const { asksValidUntil, renewDays } = document;
  const named = showIf && documents.find(({ name }) => name === showIf.name);
  const option = useAnswerText(named?.kind ?? "choice");
  const bound = useAnswerText(kind);
  const condition =
    showIf !== null &&
    t("common:labelled", {
      label: t("questions:askIf"),
      value: `${showIf.name} = ${showIf.is.map(option).join(", ")}`,
    });
  if (kind === "file")
    return [
      t("detail.accepted", { types: allowedFileTypes.join(", ") }),
      multiple && t("common:document.multiple"),
      asksValidUntil && t("questions:validUntil"),
      renewDays !== null && t("questions:renewal", { count: renewDays }),
      condition,
    ];
  return [
    t(`questions:kinds.${kind}`),
    options.length > 0 && options.join(", "),
    min !== null && `${t("questions:min")} ${bound(min)}`,
    max !== null && `${t("questions:max")} ${bound(max)}`,
    kind === "number" && decimals !== 2 && `${t("questions:decimals")} ${decimals}`,
    format !== null && (format === "iban" ? "IBAN" : t(`questions:formats.${format}`)),
    confidential && t("questions:confidential"),
    condition,
  ];
}
