const KEY = "signed-in user";

/** Tells the other tabs who is signed in. */
export function announceUser(id: number): void {
  try {
    localStorage.setItem(KEY, String(id));
  } catch {
    // Without storage, other tabs notice at their next reload.
  }
}

/** Calls the listener when another tab finds that this user is signed in now. */
export function onUserElsewhere(listener: (id: number) => void): void {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === KEY && newValue !== null) listener(Number(newValue));
  });
}
