/* What the page needs once its first step is left. It is loaded apart, which keeps the first view small. */
export { CompletePage } from "../page/complete-page";
export { Toaster } from "../page/toaster";
export { connectUploads } from "../upload/connect-uploads";
export { createSubmitting } from "../upload/submit";
export { StepDocuments } from "./step-documents";
export { StepReview } from "./step-review";
