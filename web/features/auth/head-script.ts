import { bootstrap } from "./bootstrap";

/* The build puts this into the head of auth.html. */
window.authBootstrap = bootstrap();
