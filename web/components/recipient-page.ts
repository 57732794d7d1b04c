import { type ComponentType, createContext } from "react";
import type { EnvelopePreview } from "../../worker/contract/envelopes";
import type { Language } from "../../worker/contract/options";
import type { Look } from "./preview-look";

export type RecipientPageProps = {
  request: EnvelopePreview["page"];
  /** Of a request without one. */
  language: Language;
  look: Look;
  /** Whether it can be filled in: then the list of documents alone is shown, and nothing is stored or sent. */
  tried?: boolean;
  title: string;
  /** What is said if it cannot be loaded. */
  failed: string;
};

/** Shows the recipient's page in a frame. It is a part of another bundle's feature, so the app provides it. */
export const RecipientPage = createContext<ComponentType<RecipientPageProps> | null>(null);
