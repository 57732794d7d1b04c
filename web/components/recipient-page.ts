import { type ComponentType, createContext } from "react";
import type { EnvelopePreview } from "../../worker/contract/envelopes";
import type { Language } from "../../worker/contract/options";
import type { Look } from "./preview-look";

export type RecipientPageProps = {
  request: EnvelopePreview["page"];
  /** Of a request without one. */
  language: Language;
  look: Look;
  title: string;
  /** What is said if it cannot be loaded. */
  failed: string;
};

/** Shows the recipient's page in a frame. It is a part of another bundle's feature, so the app provides it. */
export const RecipientPage = createContext<ComponentType<RecipientPageProps> | null>(null);
