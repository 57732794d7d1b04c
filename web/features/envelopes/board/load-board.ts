import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { i18n } from "#translation";
import type { ListView } from "../list-view";
import { useListOf } from "../use-list-of";
import { boardQuery } from "./board.queries";

export const loadBoard = () => import("./board");

/** Loads the board that the page opens with, beside the list. */
export function useBoardAhead(workspaceId: number | undefined, view: ListView): void {
  const client = useQueryClient();
  const isBoard = view.view === "board";
  const { part } = useListOf(workspaceId ?? 0, view);
  useEffect(() => {
    if (!isBoard) return;
    void loadBoard();
    void i18n.loadNamespaces("board");
  }, [isBoard]);
  const isKnown = isBoard && workspaceId !== undefined;
  const latest = useRef(part);
  latest.current = part;
  useEffect(() => {
    if (isKnown) void client.prefetchInfiniteQuery(boardQuery(latest.current));
  }, [client, isKnown]);
}
