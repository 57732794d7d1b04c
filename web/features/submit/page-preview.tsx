import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { PageFrame } from "../../components/page-frame";
import type { RecipientPageProps } from "../../components/recipient-page";
import { QueryPlaceholder } from "../../components/ui/query-placeholder";
import { applyColor, BrandFooter, BrandMark } from "./page/brand";
import { PageHeader } from "./page/page-header";
import { RequestCard } from "./request/request-card";
import { fetchStepTexts, fetchTexts } from "./request/submission-api";
import { TextsProvider } from "./translation/use-texts";
import { StepDocuments } from "./wizard/step-documents";
import { StepList } from "./wizard/step-list";

const noop = () => {};
const INERT = { chooseFiles: noop, removeFile: noop, refresh: noop, skipDocument: noop };
/** Of no link, so that nothing that was stored for one is shown. */
const NO_TOKEN = "";

/** The recipient's page at the list of documents, of a request that was not sent yet. */
export default function PagePreview({ request, language, look, failed, title }: RecipientPageProps) {
  const shown = request.language ?? language;
  const query = useQuery({
    queryKey: ["recipient's page", shown],
    queryFn: async () => {
      const [first, later] = await Promise.all([fetchTexts(shown), fetchStepTexts(shown)]);
      return { ...first, ...later };
    },
  });
  const [page, setPage] = useState<HTMLElement | null>(null);
  const { brand } = request;
  useEffect(() => {
    if (!page) return;
    delete page.dataset.brand;
    applyColor(brand?.color ?? null, page);
  }, [page, brand]);
  if (!query.data) return <QueryPlaceholder query={query} failed={failed} rowClass="h-24" />;
  return (
    <PageFrame title={title} look={look} language={shown} onPage={setPage}>
      <TextsProvider language={shown} texts={query.data}>
        <PageHeader
          onLanguage={noop}
          mark={brand && (brand.name || brand.logo) && <BrandMark brand={brand} />}
        />
        <main className="mx-auto w-full max-w-160 pt-2 pb-8 sm:pt-4">
          <RequestCard token={NO_TOKEN} request={request} folded={false} />
          <section className="mt-3 border-line border-y bg-surface px-5 pt-5 pb-6 sm:mt-4 sm:rounded-card sm:border sm:px-7 sm:pt-6 sm:pb-7">
            <StepList step={1} moved={false} />
            <div className="mt-6">
              <StepDocuments token={NO_TOKEN} request={request} documents={new Map()} wizard={INERT} />
            </div>
          </section>
          {brand?.footer && <BrandFooter text={brand.footer} />}
        </main>
      </TextsProvider>
    </PageFrame>
  );
}
