import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { COLUMNS, EnvelopeRow, type EnvelopeRowsProps } from "./envelope-row";

/** Up to here all rows are rendered, so that the browser's search finds them. */
const MAX_RENDERED = 100;

// Loaded for long lists only.
const VirtualRows = lazy(() => import("./virtual-rows"));

/** The table's body: all rows of a short list, the visible ones of a long list. */
export function EnvelopeRows({ envelopes, selected, handlers }: EnvelopeRowsProps) {
  const { t } = useTranslation("envelopes");
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
      {envelopes.length === 0 && (
        <tr>
          <td colSpan={COLUMNS} className="h-32 text-center text-ink-soft">
            {t("noResults")}
          </td>
        </tr>
      )}
    </tbody>
  );
}
