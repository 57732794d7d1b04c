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

type Tone = "plain" | "good" | "warn" | "bad";
type Stopped = "signIn" | "credentials" | "full" | "paused";
type Known = "setUp" | "delivered" | "nothing" | "waiting" | "retried" | "failed";
type Text = `status.${Known | Stopped | `${Stopped}Waiting`}`;

/** What a card says about a destination: why nothing is delivered, or what was and what waits; then what failed. */
export function statusOf(destination: Omit<Destination, "id">) {
  const { kind, state, waiting, retried, failed, lastDeliveredAt } = destination;
  const lines: { text: Text; tone: Tone; count: number }[] = [];
  const add = (text: Text, tone: Tone, count = 0) => lines.push({ text, tone, count });
  const stop = (reason: Stopped, tone: Tone) =>
    waiting > 0 ? add(`status.${reason}Waiting`, tone, waiting) : add(`status.${reason}`, tone);
  if (lacksFolder(destination)) add("status.setUp", "warn");
  else if (state === "paused") stop("paused", "plain");
  else if (state === "full") stop("full", "warn");
  else if (state === "reconnect") stop(isGranted(kind) ? "signIn" : "credentials", "bad");
  else if (waiting > 0) add("status.waiting", retried > 0 ? "warn" : "plain", waiting);
  else if (failed === 0 && lastDeliveredAt) add("status.delivered", "good");
  else if (failed === 0) add("status.nothing", "plain");
  if (state === "active" && retried > 0) add("status.retried", "warn");
  if (failed > 0) add("status.failed", "bad", failed);
  return lines;
}
