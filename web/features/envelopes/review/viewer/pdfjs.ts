import {
  GlobalWorkerOptions,
  getDocument,
  PasswordResponses,
  type PDFDocumentLoadingTask,
  PDFWorker,
  VerbosityLevel,
  version,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import { createTrustedPolicy } from "../../../../lib/trusted-types";

export { type PDFDocumentProxy, type PDFPageProxy, TextLayer } from "pdfjs-dist/legacy/build/pdf.mjs";

/** Asks for the password of a PDF; `wrong` after one that does not open it. */
export type AskPassword = (request: { wrong: boolean; unlock: (password: string) => void }) => void;

const FOLDER = `/pdfjs/${version}/`;
/**
 * Opening a PDF reads each page's entry, which may be far apart: larger ranges would load most of the file. Adjacent
 * ranges are requested together.
 */
const RANGE_BYTES = 64 * 1024;

const WORKER = `${FOLDER}pdf.worker.js`;
GlobalWorkerOptions.workerSrc = WORKER;
// pdf.js passes this URL as a text, which the pages' policy allows nowhere else.
createTrustedPolicy("default", { createScriptURL: (url) => (url === WORKER ? url : null) });
/** One for all files, since it takes longer to start than to read a page. */
let worker: PDFWorker | undefined;

/**
 * Opens a PDF by ranges, so that only visible parts are loaded. Nothing in it runs: pdf.js executes scripts and follows
 * links of a PDF only through parts of its viewer that are not used here.
 */
export function openPdf(url: string, askPassword: AskPassword): PDFDocumentLoadingTask {
  if (!worker || worker.destroyed) worker = new PDFWorker({ verbosity: VerbosityLevel.ERRORS });
  const task = getDocument({
    url,
    worker,
    rangeChunkSize: RANGE_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    // The worker may not use the network: its security policy allows nothing but its own scripts.
    useWorkerFetch: false,
    useWasm: false,
    disableWorkerRendering: true,
    cMapUrl: `${FOLDER}cmaps/`,
    standardFontDataUrl: `${FOLDER}standard_fonts/`,
    wasmUrl: FOLDER,
    verbosity: VerbosityLevel.ERRORS,
  });
  task.onPassword = (unlock: (password: string) => void, reason: number) =>
    askPassword({ wrong: reason === PasswordResponses.INCORRECT_PASSWORD, unlock });
  return task;
}
