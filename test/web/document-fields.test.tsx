import { expect, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { FormProvider, useForm } from "react-hook-form";
import submit from "../../locales/en/submit.json";
import submitSteps from "../../locales/en/submit-steps.json";
import { DocumentFields } from "../../web/components/document-fields";
import { RequestedDocuments } from "../../web/features/envelopes/detail/requested-documents";
import type { Envelope } from "../../web/features/envelopes/envelopes.queries";
import type { Review } from "../../web/features/envelopes/review/use-review";
import { DocumentCard } from "../../web/features/submit/files/document-card";
import type { DocumentFiles } from "../../web/features/submit/files/document-files";
import { QuestionCard } from "../../web/features/submit/questions/question-card";
import type { RequestedDocument } from "../../web/features/submit/request/submission-api";
import { TextsProvider } from "../../web/features/submit/translation/use-texts";
import { editableDocuments } from "../../web/lib/document-entries";
import { DOCUMENT_DEFAULTS, DOCUMENT_FIELDS, type DocumentEntry } from "../../worker/contract/documents";
import { KINDS } from "../../worker/contract/questions";
import { type EnvelopeContext, requestMail } from "../../worker/features/notifications/recipient-mails";
import { FILLED_DOCUMENT } from "../support/api/filled-fields";
import { initEnglishTexts } from "../support/english-texts";

await initEnglishTexts();

const stored = (entry: DocumentEntry) => ({
  ...entry,
  ...{ id: 1, state: "open", reason: null, files: [], answered: false, answer: null, offered: null },
});

function Form({ entry, children }: { entry: DocumentEntry; children: ReactNode }) {
  return (
    <QueryClientProvider client={new QueryClient()}>
      <FormProvider {...useForm({ defaultValues: { list: editableDocuments([entry]) } })}>
        {children}
      </FormProvider>
    </QueryClientProvider>
  );
}

/** The views that show a requested document, each rendered to markup. */
const VIEWS: Record<string, (entry: DocumentEntry) => string> = {
  "the form": (entry) => {
    const markup = renderToStaticMarkup(
      <Form entry={entry}>
        <DocumentFields list="list" index={0} workspaceId={1} added={0} onRemove={undefined} />
      </Form>,
    );
    // A text field receives its value in the browser.
    return markup.replace(/name="list\.0\.(\w+)"/g, (_, field) => JSON.stringify(entry[field as "name"]));
  },
  "the recipient's page": (entry) =>
    renderToStaticMarkup(
      <TextsProvider language="en" texts={{ ...submit, ...submitSteps }}>
        {entry.kind === "file" ? (
          <DocumentCard
            token="t"
            document={stored(entry) as unknown as RequestedDocument}
            answer={{ files: [], problem: null, skipped: false, skipReason: "" } as DocumentFiles}
            maxFileSize={1}
            requestor="Ada"
            otherWith={() => undefined}
            onFiles={() => {}}
            onRemove={() => {}}
            onSkip={() => {}}
            onAsk={() => {}}
          />
        ) : (
          <QuestionCard
            document={stored(entry) as unknown as RequestedDocument}
            entry={{ typed: "", problem: null, isKept: false, isSaved: false, late: null }}
            skip={{ skipped: false, skipReason: "" }}
            onSkip={() => {}}
          />
        )}
      </TextsProvider>,
    ),
  "the envelope's details": (entry) =>
    renderToStaticMarkup(
      <RequestedDocuments
        envelope={{ documents: [stored(entry)], submissions: [] } as unknown as Envelope}
        review={{ pendingReturns: new Map(), open: false } as unknown as Review}
        onAskAgain={() => {}}
      />,
    ),
  "the mail to the recipient": (entry) =>
    JSON.stringify(
      requestMail(
        "invitation",
        {
          envelope: { recipientName: "Rita" },
          user: { email: "ada@example.com" },
          documents: [stored(entry)],
          files: [],
          answers: [],
        } as unknown as EnvelopeContext,
        {
          t: (key, values) => `${key} ${JSON.stringify(values)}`,
          payload: {},
          language: "en",
          link: "",
          timeZone: null,
          at: "2026-03-14T09:26:53.000Z",
        },
      ),
    ),
};
const OF_QUESTIONS = ["options", "min", "max", "decimals", "format", "confidential"];
const OF_VALIDITY = ["asksValidUntil", "renewDays"];
const NOT_SHOWN: Record<string, string[]> = {
  "the mail to the recipient": [
    ...["multiple", "reasonAllowed", ...OF_QUESTIONS, "showIf", ...OF_VALIDITY],
    "attachments",
  ],
  // They say which answers are right, and what is asked at all, or once there is a file.
  "the recipient's page": ["decimals", "showIf", ...OF_VALIDITY],
};
/** Of questions and attachments, values other than the defaults. */
const FILLED: DocumentEntry = {
  ...FILLED_DOCUMENT,
  ...{
    kind: "yesNo",
    options: ["One", "Two"],
    min: "1",
    max: "10",
    decimals: 0,
    format: "iban",
    confidential: true,
  },
  showIf: { name: "A choice", is: ["Two"] },
  attachments: [{ id: 7, fileName: "form.pdf", fileSize: 5 }],
};
/** What makes a difference only together with another field. */
const TOGETHER: Partial<Record<string, Partial<DocumentEntry>>> = {
  reasonAllowed: { required: true },
  options: { kind: "choice" },
  min: { kind: "number" },
  max: { kind: "number" },
  decimals: { kind: "number" },
  format: { kind: "text" },
  confidential: { kind: "text" },
  renewDays: { asksValidUntil: true },
};

test.each(Object.entries(VIEWS))("%s shows each field of a requested document", (view, show) => {
  const shown = DOCUMENT_FIELDS.filter((field) => {
    const without = { ...DOCUMENT_DEFAULTS, ...TOGETHER[field] };
    return show({ ...without, [field]: FILLED[field] }) !== show(without);
  });
  const expected = DOCUMENT_FIELDS.filter((field) => !NOT_SHOWN[view]?.includes(field));
  expect(shown).toEqual(expected);
});

test("the form says which placeholders of a name are not filled in", () => {
  const hint = (name: string) =>
    VIEWS["the form"]?.({ ...FILLED_DOCUMENT, name }).match(/>Names are sent as typed\.([^<]*)</)?.[1];
  expect(hint("Return {lastYear} of {firstName}")).toContain(
    "Use {firstName}, {lastYear} in the description",
  );
  expect(hint("Form {A}, lastYear")).toBeUndefined();
});

/** What the recipient's page has for an answer of each kind. */
const FIELDS: Record<DocumentEntry["kind"], RegExp> = {
  file: /<input type="file"/,
  text: /<input [^>]*type="text"(?![^>]*inputMode)/,
  longText: /<textarea/,
  number: /<input [^>]*type="text" inputMode="decimal"/,
  date: /<input [^>]*type="date"/,
  choice: /<fieldset.*<input type="radio"/,
  choices: /<fieldset.*<input type="checkbox"/,
  yesNo: /<fieldset.*<input type="radio".*>Yes<.*>No</,
};

test("the recipient's page has a field for each kind of question", () => {
  for (const kind of KINDS) {
    const entry: DocumentEntry = {
      ...DOCUMENT_DEFAULTS,
      name: "It",
      kind,
      options: ["A", "B"],
      required: true,
    };
    expect([kind, VIEWS["the recipient's page"]?.(entry)]).toEqual([
      kind,
      expect.stringMatching(FIELDS[kind]),
    ]);
  }
});
