import { infiniteQueryOptions, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { MoreButton, QueryPlaceholder } from "../../components/ui/query-placeholder";
import { Separated } from "../../components/ui/separated";
import { ApiError, api, type ListPage, listPage } from "../../lib/api";
import { pagedList } from "../../lib/read-pages";
import { useFormat } from "../../lib/use-format";
import { useRole } from "../workspaces/workspaces.queries";
import { downloadFile } from "./bulk/bulk-actions";
import { SubmittedFiles } from "./detail/submitted-documents";
import { useProgress } from "./envelope-row";
import type { Envelope } from "./envelopes.queries";
import { expiringQuery } from "./expiring.queries";
import { ExpiringDocuments } from "./expiring-documents";
import { answersOf, type DocumentAnswer } from "./review/document-answers";
import { DocumentStateBadge } from "./review/document-state";
import { EnvelopeStatusBadge } from "./status-badge";

/** All envelopes for a contact, newest first. */
const contactEnvelopesQuery = (contactId: number) =>
  infiniteQueryOptions({
    queryKey: ["requests", "contact", contactId],
    ...pagedList(
      (cursor) =>
        listPage(
          api.requests.$get({
            query: { contactId: String(contactId), limit: "100", ...(cursor && { cursor }) },
          }),
        ) as Promise<ListPage<Envelope>>,
    ),
  });

type ContactEnvelopesProps = {
  contactId: number;
  onOpen: (envelopeId: number) => void;
  /** Opens a submitted file over its envelope. */
  onFile: (envelopeId: number, fileId: number) => void;
};

/** The envelopes for a contact, and the documents that it has submitted. */
export function ContactEnvelopes({ contactId, onOpen, onFile }: ContactEnvelopesProps) {
  const { t } = useTranslation("contacts");
  const query = useInfiniteQuery(contactEnvelopesQuery(contactId));
  const { data: envelopes } = query;
  const { mayEdit: mayChange } = useRole(envelopes?.[0]?.workspaceId);
  if (!envelopes)
    return (
      <div className="mt-8">
        <QueryPlaceholder query={query} failed={t("page.failed")} rows={3} rowClass="h-14" />
      </div>
    );
  const documents = envelopes.flatMap((envelope) =>
    answersOf(envelope)
      .filter(({ files }) => files.length > 0)
      .map((answer) => ({ envelope, answer })),
  );
  const hasFiles = documents.some(({ answer }) => answer.files.some(({ url }) => url !== null));
  const more = query.hasNextPage;
  return (
    <div className="mt-8 grid items-start gap-x-10 gap-y-8 lg:grid-cols-2">
      <PageSection more={more} title={t("page.envelopes")} empty={t("page.noEnvelopes")}>
        {envelopes.map((envelope) => (
          <EnvelopeItem key={envelope.id} envelope={envelope} onOpen={() => onOpen(envelope.id)} />
        ))}
      </PageSection>
      <PageSection
        more={more}
        title={t("page.documents")}
        empty={t("page.noDocuments")}
        aside={hasFiles && <DownloadFiles contactId={contactId} />}
      >
        {documents.map(({ envelope, answer }) => (
          <DocumentItem
            key={`${envelope.id} ${answer.document?.id ?? answer.name}`}
            envelope={envelope}
            answer={answer}
            onFile={(fileId) => onFile(envelope.id, fileId)}
          />
        ))}
      </PageSection>
      <MoreButton query={query} label={t("page.more")} className="lg:col-span-2 w-fit" />
      <ContactExpiring contactId={contactId} mayChange={mayChange} onOpen={onOpen} />
    </div>
  );
}

type ContactExpiringProps = Pick<ContactEnvelopesProps, "contactId" | "onOpen"> & { mayChange: boolean };

/** The contact's documents that expire, if there are any. */
function ContactExpiring({ contactId, ...rest }: ContactExpiringProps) {
  const { t } = useTranslation(["contacts", "questions"]);
  const query = useInfiniteQuery(expiringQuery({ contactId }));
  const { data: documents = [] } = query;
  const title = t("questions:validity.title");
  if (documents.length === 0) return null;
  return (
    <section className="lg:col-span-2">
      <h2 className="mb-2 text-base">{title}</h2>
      <ExpiringDocuments documents={documents} label={title} {...rest} />
      <MoreButton query={query} label={t("page.more")} className="mt-3 w-fit" />
    </section>
  );
}

/** All files of the contact's envelopes as one archive, also of those that are not listed yet. */
function DownloadFiles({ contactId }: { contactId: number }) {
  const { t } = useTranslation("contacts");
  const download = useMutation({
    mutationFn: () => downloadFile(`files.zip?contactId=${contactId}`),
    meta: {
      failure: {
        title: "contacts:page.downloadFailed",
        text: (error) =>
          error instanceof ApiError && error.status === 400 ? "contacts:page.tooMany" : undefined,
      },
    },
  });
  return (
    <Button
      size="sm"
      className="ml-auto sm:-my-2"
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {!download.isPending && <Download aria-hidden />}
      {t("page.download")}
    </Button>
  );
}

type PageSectionProps = {
  title: string;
  empty: string;
  more: boolean;
  aside?: ReactNode;
  children: ReactNode[];
};

function PageSection({ title, empty, more, aside, children }: PageSectionProps) {
  return (
    <section>
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-3">
        <h2 className="text-base">{title}</h2>
        {children.length > 0 && (
          <span className="text-ink-soft tabular-nums">{`${children.length}${more ? "+" : ""}`}</span>
        )}
        {aside}
      </div>
      {children.length === 0 ? (
        <p className="mt-2 text-ink-soft">{empty}</p>
      ) : (
        <ul aria-label={title} className="mt-2 divide-y divide-line border-line border-y">
          {children}
        </ul>
      )}
    </section>
  );
}

function EnvelopeItem({ envelope, onOpen }: { envelope: Envelope; onOpen: () => void }) {
  const { t } = useTranslation("envelopes");
  const { amount, last, reminded } = useProgress(envelope);
  return (
    <li className="relative flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <button
          type="button"
          onClick={onOpen}
          className="max-w-full text-left font-medium outline-none [overflow-wrap:anywhere] after:absolute after:inset-0 hover:after:bg-ink/2 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
        >
          {envelope.subject || t("noSubject")}
        </button>
        <p className="text-ink-soft text-xs">
          <Separated>
            <span>{amount}</span>
            {last}
            {reminded}
          </Separated>
        </p>
      </div>
      <EnvelopeStatusBadge envelope={envelope} />
    </li>
  );
}

type DocumentItemProps = { envelope: Envelope; answer: DocumentAnswer; onFile: (id: number) => void };

function DocumentItem({ envelope, answer: { name, document, files }, onFile }: DocumentItemProps) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  return (
    <li className="space-y-1 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</p>
        {document && <DocumentStateBadge state={document.state} />}
      </div>
      <p className="text-ink-soft text-xs [overflow-wrap:anywhere]">{envelope.subject || t("noSubject")}</p>
      <SubmittedFiles envelope={envelope} files={files} sizeOf={format.size} onView={onFile} />
    </li>
  );
}
