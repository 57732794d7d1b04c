import { useState } from "react";

const STEP = 1.25;
const LEAST = 0.25;
const MOST = 6;

/** How the file in view is shown; each file begins fitted and upright. */
export function useZoom(fileId: number) {
  const [state, setState] = useState({ fileId, zoom: 1, rotation: 0 });
  const { zoom, rotation } = state.fileId === fileId ? state : { zoom: 1, rotation: 0 };
  const change = (next: { zoom?: number; rotation?: number }) =>
    setState({ fileId, zoom, rotation, ...next });
  return {
    zoom,
    rotation,
    commands: {
      zoomIn: () => change({ zoom: Math.min(MOST, zoom * STEP) }),
      zoomOut: () => change({ zoom: Math.max(LEAST, zoom / STEP) }),
      fit: () => change({ zoom: 1 }),
      rotate: () => change({ rotation: (rotation + 90) % 360 }),
    },
  };
}
