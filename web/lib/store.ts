import { useSyncExternalStore } from "react";

/** A value outside of React. Components that call `use` follow it; while they hydrate, they see the initial one. */
export type Store<Value> = { get: () => Value; set: (value: Value) => void; use: () => Value };

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get, () => initial),
  };
}
