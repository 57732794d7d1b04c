import { type InvalidateQueryFilters, useQueryClient } from "@tanstack/react-query";
import type { CustomTypeOptions, ParseKeys } from "i18next";

type Namespace = keyof CustomTypeOptions["resources"];

/** A key with its namespace, "envelopes:deleted". */
export type TextKey = Extract<ParseKeys<Namespace[]>, `${Namespace}:${string}`>;

/** A text that depends on the error; undefined for the server's message. */
export type FailureText = (error: unknown) => TextKey | undefined;

/** The toasts of a mutation. Without a failure text, the server's message is shown. */
export type MutationTexts = {
  success?: {
    title: TextKey;
    text?: TextKey;
    /** A text about what the call has returned, if there is one, instead of the other one. */
    textOf?: (returned: unknown) => string | undefined;
  };
  failure?: {
    title: TextKey;
    text?: TextKey | FailureText;
    /** Failures that the screen itself reports. */
    except?: (error: unknown) => boolean;
  };
};

/** The titles alone: what was done, or that it failed, with the server's message. */
export const toasts = (done: TextKey, failed: TextKey): MutationTexts => ({
  success: { title: done },
  failure: { title: failed },
});

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: MutationTexts & Record<string, unknown>;
  }
}

/** For a mutation's `onSuccess` or `onSettled`: loads these queries again, until when the mutation is pending. */
export function useRefresh(...all: (InvalidateQueryFilters | string)[]): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all(
      all.map((one) => client.invalidateQueries(typeof one === "string" ? { queryKey: [one] } : one)),
    );
}
