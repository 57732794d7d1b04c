import { type DragEvent, useState } from "react";

/** Handlers for an element that files can be dropped on, and whether files are held over it. */
export function useDrop(onFiles: (files: readonly File[]) => void) {
  const [depth, setDepth] = useState(0);
  // A child is entered before its parent is left, so enter and leave events are counted.
  const handlers = {
    onDragEnter: (event: DragEvent) => {
      if (hasFiles(event)) setDepth((depth) => depth + 1);
    },
    onDragLeave: (event: DragEvent) => {
      if (hasFiles(event)) setDepth((depth) => Math.max(0, depth - 1));
    },
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setDepth(0);
      if (event.dataTransfer.files.length > 0) onFiles([...event.dataTransfer.files]);
    },
  };
  return { over: depth > 0, handlers };
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");
