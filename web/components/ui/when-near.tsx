import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** Calls the function each time the element comes within the margin of the screen. */
export function useOnNear(
  element: RefObject<HTMLElement | null>,
  rootMargin: string,
  onNear: (() => void) | undefined,
): void {
  useEffect(() => {
    if (!onNear || !element.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNear(), { rootMargin });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, rootMargin, onNear]);
}

/** Renders what takes long once it is less than a screen away. */
export function WhenNear({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useOnNear(
    place,
    "100%",
    useCallback(() => setNear(true), []),
  );
  return isNear ? children : <div ref={place} />;
}
