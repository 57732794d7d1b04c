import { Archive, Cloud, Folder, HardDrive, type LucideIcon, Server } from "lucide-react";
import { type DestinationKind, isGranted } from "../../../../worker/contract/destination-kinds";
import type { Destination } from "./destinations.queries";

export const KIND_ICONS: Record<DestinationKind, LucideIcon> = {
  microsoft: Cloud,
  google: HardDrive,
  s3: Archive,
  webdav: Server,
  folder: Folder,
};

/** Connected, but nobody has said yet where its files go. */
export const lacksFolder = (destination: Pick<Destination, "kind" | "settings">) =>
  isGranted(destination.kind) && Object.keys(destination.settings).length === 0;

type Line = { text: `status.${string}`; tone: "plain" | "good" | "warn" | "bad"; count?: number };

/** What a card says about a destination: why nothing is delivered, or what was and what waits; then what failed. */
export function statusOf(destination: Omit<Destination, "id">) {
  const { state, waiting, retried, failed, lastDeliveredAt } = destination;
  const lines = [];
  const stopped = (reason: "signIn" | "credentials" | "full" | "paused", tone: Line["tone"]) =>
    waiting > 0
      ? ({ text: `status.${reason}Waiting`, count: waiting, tone } as const)
      : ({ text: `status.${reason}`, count: 0, tone } as const);
  if (lacksFolder(destination)) lines.push({ text: "status.setUp", count: 0, tone: "warn" } as const);
  else if (state === "paused") lines.push(stopped("paused", "plain"));
  else if (state === "full") lines.push(stopped("full", "warn"));
  else if (state === "reconnect")
    lines.push(stopped(isGranted(destination.kind) ? "signIn" : "credentials", "bad"));
  else if (waiting > 0)
    lines.push({ text: "status.waiting", count: waiting, tone: retried > 0 ? "warn" : "plain" } as const);
  else if (failed === 0 && lastDeliveredAt)
    lines.push({ text: "status.delivered", count: 0, tone: "good" } as const);
  else if (failed === 0) lines.push({ text: "status.nothing", count: 0, tone: "plain" } as const);
  if (state === "active" && retried > 0)
    lines.push({ text: "status.retried", count: 0, tone: "warn" } as const);
  if (failed > 0) lines.push({ text: "status.failed", count: failed, tone: "bad" } as const);
  return lines;
}
