import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, json } from "../../../lib/api";

const readPreview = (kind: "invitation" | "update", payload: EnvelopePayload) =>
  json(api.requests.preview.$post({ query: { kind }, json: { ...payload, isDraft: true } }));

type EnvelopePayload = Parameters<typeof api.requests.preview.$post>[0]["json"];

/** The messages that the recipient would get now. */
export const previewQuery = (kind: "invitation" | "update", payload: EnvelopePayload) =>
  queryOptions({
    queryKey: ["preview", kind, payload],
    queryFn: () => readPreview(kind, payload),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
