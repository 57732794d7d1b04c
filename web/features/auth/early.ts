import { start } from "./start";

/* The build puts this into the page's head, so that nothing waits for the scripts. */
window.authStart = start();
