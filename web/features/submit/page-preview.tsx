import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useEffect, useReducer, useState } from "react";
import { PageFrame } from "../../components/page-frame";
import type { RecipientPageProps } from "../../components/recipient-page";
import { QueryPlaceholder } from "../../components/ui/query-placeholder";
import { checkFiles } from "./files/check-file";
import { filesOf } from "./files/document-files";
import { applyColor, BrandFooter, BrandMark } from "./page/brand";
import { PageHeader } from "./page/page-header";
import { RequestCard } from "./request/request-card";
import { fetchStepTexts, fetchTexts, type RecipientRequest } from "./request/submission-api";
import { setShownLanguage } from "./translation/shown-language";
import { TextsProvider } from "./translation/use-texts";
import { StepDocuments } from "./wizard/step-documents";
import { StepList } from "./wizard/step-list";
import { INITIAL_STATE, wizardReducer } from "./wizard/wizard-state";

const noop = () => {};
/** Of no link: nothing is stored for it or sent. */
const NO_TOKEN = "";

/** The recipient's page at the list of documents, of a request that was not sent yet. */
export default function PagePreview({
  request,
  language,
  look,
  failed,
  title,
  tried = false,
}: RecipientPageProps) {
  const shown = request.language ?? language;
  const query = useQuery({
    queryKey: ["recipient's page", shown],
    queryFn: async () => {
      const [first, later] = await Promise.all([fetchTexts(shown), fetchStepTexts(shown)]);
      return { ...first, ...later };
    },
  });
  const [page, setPage] = useState<HTMLElement | null>(null);
  const { documents, wizard } = useTriedFiles(request);
  const { brand } = request;
  useEffect(() => {
    if (!page) return;
    delete page.dataset.brand;
    applyColor(brand?.color ?? null, page);
    setShownLanguage(shown, page);
  }, [page, brand, shown]);
  if (!query.data) return <QueryPlaceholder query={query} failed={failed} rowClass="h-24" />;
  return (
    <PageFrame title={title} look={look} language={shown} live={tried} onPage={setPage}>
      <TextsProvider language={shown} texts={query.data}>
        {!tried && (
          <PageHeader
            onLanguage={noop}
            mark={brand && (brand.name || brand.logo) && <BrandMark brand={brand} />}
          />
        )}
        <main className="mx-auto w-full max-w-160 pt-2 pb-8 sm:pt-4">
          {!tried && <RequestCard token={NO_TOKEN} request={request} folded={false} />}
          <section className="mt-3 border-line border-y bg-surface px-5 pt-5 pb-6 sm:mt-4 sm:rounded-card sm:border sm:px-7 sm:pt-6 sm:pb-7">
            <StepList step={1} moved={false} />
            <div className="mt-6">
              <StepDocuments token={NO_TOKEN} request={request} documents={documents} wizard={wizard} />
            </div>
          </section>
          {!tried && brand?.footer && <BrandFooter text={brand.footer} />}
        </main>
      </TextsProvider>
    </PageFrame>
  );
}

/** The files that are chosen and the documents that are skipped, which nothing but the page knows. */
function useTriedFiles({ maxFileSize }: RecipientRequest) {
  const [{ documents }, dispatch] = useReducer(wizardReducer, INITIAL_STATE);
  const wizard: ComponentProps<typeof StepDocuments>["wizard"] = {
    chooseFiles(document, files) {
      const present = filesOf(documents, document.id).files.length;
      const { accepted, problem } = checkFiles(files, document, { maxFileSize, present });
      for (const file of accepted) {
        const id = crypto.randomUUID();
        dispatch({ type: "file chosen", document, id, file });
        dispatch({ type: "file uploaded", id });
      }
      if (problem) dispatch({ type: "choice rejected", documentId: document.id, problem });
    },
    removeFile: (_, id) => dispatch({ type: "file removed", id }),
    skipDocument: ({ id }, answer) => dispatch({ type: "document skipped", documentId: id, answer }),
    refresh: noop,
  };
  return { documents, wizard };
}
