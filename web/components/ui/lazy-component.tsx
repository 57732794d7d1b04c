import { type ComponentType, lazy, Suspense } from "react";

/** A component whose code is loaded when it is first rendered. Until then, nothing is shown in its place. */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const Loaded: ComponentType<Props> = lazy(load);
  return (props) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
