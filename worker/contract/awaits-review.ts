import type { DocumentEntry, DocumentState } from "./documents";

type Submitted = Pick<DocumentEntry, "required" | "reasonAllowed"> & { state: DocumentState };

/** Whether the requestor has not yet decided about its files, or about the reason given instead of a required one. */
export const awaitsReview = ({ state, required, reasonAllowed }: Submitted): boolean =>
  state === "received" || (state === "skipped" && required && reasonAllowed);
