import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../../ports/clock";
import { DeliveryError } from "../../../ports/mailer";
import { writeDurably } from "../files/durable-file";

export type MailFolder = {
  /** Writes a message to a new file and returns its path. @throws DeliveryError */
  add(extension: "eml" | "txt", bytes: Uint8Array): Promise<string>;
};

/** Stores messages that cannot be sent in `mail/` under `folder`, with names sorted by time. */
export async function openMailFolder(folder: string, clock: Clock): Promise<MailFolder> {
  const path = join(folder, "mail");
  await mkdir(path, { recursive: true });
  return {
    async add(extension, bytes) {
      const moment = clock.now().toISOString().replaceAll(":", "-");
      const name = `${moment}-${crypto.randomUUID().slice(0, 8)}.${extension}`;
      await writeDurably(path, name, bytes).catch((error: unknown) => {
        throw new DeliveryError(`${path} could not be written to: ${error}`, { permanent: false });
      });
      return join(path, name);
    },
  };
}

/** The first link in a text, for the developer's log. */
export function firstLink(text: string): string | undefined {
  return /https?:\/\/[^\s<>"]+/.exec(text)?.[0];
}
