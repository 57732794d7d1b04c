import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useMediaQuery } from "../../lib/use-media-query";
import { EnvelopeRow, type EnvelopeRowsProps } from "./envelope-row";

/** Up to here all rows are rendered, so that the browser's search finds them. */
const MAX_RENDERED = 100;

// Loaded for long lists only.
const VirtualRows = lazy(() => import("./virtual-rows"));

/** The table's body: all rows of a short list, the visible ones of a long list. */
export function EnvelopeRows({ envelopes, selected, handlers }: EnvelopeRowsProps) {
  const first = envelopes
    .slice(0, MAX_RENDERED)
    .map((envelope, index) => (
      <EnvelopeRow
        key={envelope.id}
        envelope={envelope}
        rowIndex={index + 2}
        selected={selected.has(envelope.id)}
        handlers={handlers}
      />
    ));
  if (envelopes.length > MAX_RENDERED) {
    return (
      <Suspense fallback={<tbody>{first}</tbody>}>
        <VirtualRows envelopes={envelopes} selected={selected} handlers={handlers} />
      </Suspense>
    );
  }
  return (
    <tbody>
      {first}
      {envelopes.length === 0 && <NoResults />}
    </tbody>
  );
}

/** Spans the columns that are shown: a wider cell would add empty ones, which take their part of a fixed table. */
function NoResults() {
  const { t } = useTranslation("envelopes");
  const medium = useMediaQuery("(min-width: 48rem)");
  const wide = useMediaQuery("(min-width: 80rem)");
  return (
    <tr>
      <td colSpan={wide ? 6 : medium ? 5 : 3} className="h-32 text-center text-ink-soft">
        {t("noResults")}
      </td>
    </tr>
  );
}
