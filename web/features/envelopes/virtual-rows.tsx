import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import { EnvelopeRow, type EnvelopeRowsProps } from "./envelope-row";

/** Every row is exactly this tall: what has no column on a narrower screen needs lines of its own. */
const ROW_HEIGHTS = [
  { media: "(min-width: 80rem)", height: 61 },
  { media: "(min-width: 48rem)", height: 77 },
  { media: "all", height: 93 },
];

/** Renders the visible rows and a few more; two spacers take the height of the others. */
export default function VirtualRows({ envelopes, selected, handlers }: EnvelopeRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (body.current) setTop(body.current.getBoundingClientRect().top + scrollY);
  }, []);
  const height = ROW_HEIGHTS.find(({ media }) => matchMedia(media).matches)?.height ?? 0;
  const virtualizer = useWindowVirtualizer({
    count: envelopes.length,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: top,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = (items.at(-1)?.index ?? -1) + 1;
  return (
    <tbody ref={body}>
      <Spacer height={first * height} />
      {envelopes.slice(first, last).map((envelope, index) => (
        <EnvelopeRow
          key={envelope.id}
          envelope={envelope}
          rowIndex={first + index + 2}
          selected={selected.has(envelope.id)}
          handlers={handlers}
        />
      ))}
      <Spacer height={(envelopes.length - last) * height} />
    </tbody>
  );
}

function Spacer({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}
