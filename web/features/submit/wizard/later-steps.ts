/* The parts needed after the first step. Loaded separately, which keeps the first view small. */
export { FinalPage } from "../page/final-pages";
export { Toaster } from "../page/toaster";
export { connectUploads } from "../upload/connect-uploads";
export { createSubmitting } from "../upload/submit";
export { StepDocuments } from "./step-documents";
export { StepReview } from "./step-review";
