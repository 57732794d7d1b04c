import { lazyRouteComponent } from "@tanstack/react-router";

/** The board, which most people do not look at. Preloaded, it is rendered at once: React shows what it waits for 300 ms late. */
export const Board = lazyRouteComponent(() => import("./board"));
