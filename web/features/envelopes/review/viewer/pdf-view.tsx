import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/ui/button";
import { Field } from "../../../../components/ui/field";
import { Input } from "../../../../components/ui/input";
import { DownloadButton } from "../../download";
import type { Submission } from "../../envelopes.queries";
import { PdfPage } from "./pdf-page";
import type { PDFDocumentProxy } from "./pdfjs";
import { type View, ViewFailed, ViewLoading, ViewMessage } from "./view";

/** Each takes an element, and a small file can list thousands of millions. */
const MAX_PAGES = 20_000;
/** Wider pages would be harder to read than to enlarge. */
const MAX_FIT_WIDTH = 900;

type PdfViewProps = {
  file: Submission;
  url: string;
  view: View;
  onPage: (text: string) => void;
  onShown: () => void;
};

/** All pages of a PDF, below each other. */
export function PdfView({ file, url, view, onPage, onShown }: PdfViewProps) {
  const { state, retry } = usePdf(url);
  switch (state.kind) {
    case "open":
      return (
        <Pages
          key={url}
          pdf={state.pdf}
          ratio={state.firstRatio}
          view={view}
          onPage={onPage}
          onShown={onShown}
        />
      );
    case "loading":
      return <ViewLoading />;
    case "locked":
      return <PasswordForm file={file} wrong={state.wrong} onPassword={state.unlock} onShown={onShown} />;
    case "broken":
      return <ViewFailed file={file} onRetry={retry} onShown={onShown} />;
  }
}

type PagesProps = Pick<PdfViewProps, "view" | "onPage" | "onShown"> & {
  pdf: PDFDocumentProxy;
  ratio: number;
};

function Pages({ pdf, ratio, view, onPage, onShown }: PagesProps) {
  const { t } = useTranslation("review");
  const list = useRef<HTMLDivElement>(null);
  const near = usePagesNear(list, "100% 0px");
  const current = Math.min(...usePagesNear(list, "-50% 0px -50% 0px"));
  const numbers = useMemo(() => Array.from({ length: pdf.numPages }, (_, index) => index + 1), [pdf]);
  const width = Math.max(80, Math.min(view.width, MAX_FIT_WIDTH) * view.zoom);
  useEffect(() => {
    if (Number.isFinite(current)) onPage(t("mode.page", { page: current, count: pdf.numPages }));
  }, [current, onPage, pdf, t]);
  return (
    <div ref={list} className="m-auto flex w-fit flex-col items-center gap-3">
      {numbers.map((number) => (
        <PdfPage
          key={number}
          pdf={pdf}
          number={number}
          width={width}
          rotation={view.rotation}
          ratio={ratio}
          near={near.has(number)}
          onShown={onShown}
        />
      ))}
    </div>
  );
}

/** The numbers of the pages that are within a margin of the scrolling element around them. */
function usePagesNear(list: React.RefObject<HTMLElement | null>, margin: string): ReadonlySet<number> {
  const [near, setNear] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const root = list.current?.closest("[data-viewer]");
    if (!root) return;
    const observer = new IntersectionObserver(
      (entries) =>
        setNear((before) => {
          const next = new Set(before);
          for (const { target, isIntersecting } of entries) {
            const number = Number((target as HTMLElement).dataset.page);
            if (isIntersecting) next.add(number);
            else next.delete(number);
          }
          return next;
        }),
      { root, rootMargin: margin },
    );
    for (const page of list.current?.children ?? []) observer.observe(page);
    return () => observer.disconnect();
  }, [list, margin]);
  return near;
}

type PdfState =
  | { kind: "loading" }
  | { kind: "open"; pdf: PDFDocumentProxy; firstRatio: number }
  /** It needs a password; `wrong` after one that does not open it. */
  | { kind: "locked"; wrong: boolean; unlock: (password: string) => void }
  | { kind: "broken" };

const LOADING: PdfState = { kind: "loading" };

/** Opens a PDF; pdf.js itself is loaded for the first one. */
function usePdf(url: string): { state: PdfState; retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState<{ url: string; attempt: number; state: PdfState }>();
  useEffect(() => {
    const leaving = new AbortController();
    const show = (state: PdfState) => {
      if (!leaving.signal.aborted) setOpened({ url, attempt, state });
    };
    open(url, show, leaving.signal).then(show, () => show({ kind: "broken" }));
    return () => leaving.abort();
  }, [url, attempt]);
  const current = opened?.url === url && opened.attempt === attempt;
  return { state: current ? opened.state : LOADING, retry: () => setAttempt(attempt + 1) };
}

async function open(url: string, show: (state: PdfState) => void, leaving: AbortSignal): Promise<PdfState> {
  const { openPdf } = await import("./pdfjs");
  if (leaving.aborted) return LOADING;
  const task = openPdf(url, (request) => show({ kind: "locked", ...request }));
  leaving.addEventListener("abort", () => void task.destroy());
  const pdf = await task.promise;
  if (pdf.numPages > MAX_PAGES) return { kind: "broken" };
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  return { kind: "open", pdf, firstRatio: height / width };
}

type PasswordFormProps = {
  file: Submission;
  /** The last password did not open the file. */
  wrong: boolean;
  onPassword: (password: string) => void;
  onShown: () => void;
};

/** Asks for the password of a PDF. It stays in this page. */
function PasswordForm({ file, wrong, onPassword, onShown }: PasswordFormProps) {
  const { t } = useTranslation("review");
  const [password, setPassword] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password) onPassword(password);
  };
  return (
    <ViewMessage onShown={onShown}>
      <form noValidate onSubmit={submit} className="space-y-3">
        <p className="text-ink">{t("mode.locked")}</p>
        <Field
          label={t("mode.password")}
          hint={t("mode.passwordHint")}
          error={wrong ? t("mode.passwordWrong") : undefined}
          className="text-left"
        >
          <Input
            type="password"
            autoComplete="off"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </Field>
        <div className="flex flex-wrap justify-center gap-2">
          <Button type="submit" size="sm" variant="primary">
            {t("mode.unlock")}
          </Button>
          <DownloadButton submission={file} />
        </div>
      </form>
    </ViewMessage>
  );
}
