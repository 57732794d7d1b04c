import { applyInitialTheme } from "../lib/initial-theme";

/* The build puts this into the head of index.html. */
applyInitialTheme();
window.sessionCheck = fetch("/api/session")
  .then((response) => (response.ok ? response.json() : null))
  .catch(() => null);
