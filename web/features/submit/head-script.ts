import { bootstrap } from "./bootstrap";

/* The build puts this into the head of submit.html. */
window.submitBootstrap = bootstrap();
