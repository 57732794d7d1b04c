import { applyInitialTheme } from "../lib/initial-theme";
import { preloadPage } from "./preload-page";

/* The build puts this into the head of index.html. */
applyInitialTheme();
window.sessionCheck = fetch("/api/session")
  .then((response) => (response.ok ? response.json() : null))
  .catch(() => null);
preloadPage(window.sessionCheck);
