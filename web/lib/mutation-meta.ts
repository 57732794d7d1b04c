import "@tanstack/react-query";
import type { ParseKeys } from "i18next";

type Namespace =
  | "auth"
  | "common"
  | "contacts"
  | "envelopes"
  | "integrations"
  | "onboarding"
  | "profile"
  | "shell"
  | "support"
  | "templates";

/** A key with its namespace, "envelopes:deleted". */
export type TextKey = Extract<ParseKeys<Namespace[]>, `${Namespace}:${string}`>;

/** A text that depends on what went wrong; undefined for the server's words. */
export type FailureText = (error: unknown) => TextKey | undefined;

/** What a mutation says when it is over. Without a failure text, the server's words are shown. */
export type MutationTexts = {
  success?: { title: TextKey; text?: TextKey };
  failure?: {
    title: TextKey;
    text?: TextKey | FailureText;
    /** Failures that the screen itself tells of. */
    except?: (error: unknown) => boolean;
  };
};

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: MutationTexts & Record<string, unknown>;
  }
}
