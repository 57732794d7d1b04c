/**
 * The exact height of every row, by screen width: what has no column on a narrower screen takes lines under the
 * subject.
 */
const ROW_HEIGHTS = [
  { media: "(min-width: 80rem)", height: 61 },
  { media: "(min-width: 48rem)", height: 77 },
  { media: "all", height: 93 },
];

export const rowHeight = (): number =>
  ROW_HEIGHTS.find(({ media }) => matchMedia(media).matches)?.height ?? 0;

/** Takes the height of rows that are not rendered. */
export function RowSpacer({ rows }: { rows: number }) {
  if (rows === 0) return null;
  return (
    <tr aria-hidden>
      <td style={{ height: rows * rowHeight() }} />
    </tr>
  );
}
