import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useMediaQuery } from "../../lib/use-media-query";
import { EnvelopeRow, type EnvelopeRowsProps } from "./envelope-row";
import { RowSpacer } from "./row-spacer";
import { useRenderedRows } from "./use-rendered-rows";

/** The table's body. Two spacers take the height of the rows that are not rendered. */
export function EnvelopeRows({ envelopes, selected, handlers }: EnvelopeRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { first, last } = useRenderedRows(body, envelopes.length);
  return (
    <tbody ref={body}>
      <RowSpacer rows={Math.min(first, envelopes.length)} />
      {envelopes.slice(first, last).map((envelope, index) => (
        <EnvelopeRow
          key={envelope.id}
          envelope={envelope}
          rowIndex={first + index + 2}
          selected={selected.has(envelope.id)}
          handlers={handlers}
        />
      ))}
      <RowSpacer rows={Math.max(0, envelopes.length - last)} />
      {envelopes.length === 0 && <NoResults />}
    </tbody>
  );
}

/** Spans only the visible columns: a wider cell would add empty columns, which take space in a fixed table. */
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
