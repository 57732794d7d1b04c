import { writeStored } from "./storage";

const KEY = "signed-in user";

/** Tells the other tabs who is signed in. Without storage, they notice at their next reload. */
export function publishUser(id: number): void {
  writeStored(KEY, String(id));
}

/** Calls the listener when another tab finds that this user is signed in now. */
export function onUserElsewhere(listener: (id: number) => void): void {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === KEY && newValue !== null) listener(Number(newValue));
  });
}
