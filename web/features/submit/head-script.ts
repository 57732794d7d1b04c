import { bootstrap } from "./bootstrap";

/* The build puts this into the page's head, so that nothing waits for the scripts. */
window.submitBootstrap = bootstrap();
