import type { DestinationKind } from "../contract/destination-kinds";
import type { DestinationSettings } from "../contract/destinations";
import type { ByteRange } from "./file-store";

/** What the other side wants to see. */
export type DestinationCredentials = Readonly<Record<string, string>>;

/** A destination as one call uses it. */
export type DestinationAccess = {
  settings: DestinationSettings;
  credentials: DestinationCredentials;
  /**
   * Stores renewed credentials at once, in one guarded statement.
   * @returns those that are stored then: another process's if it was first
   */
  renewCredentials(renewed: DestinationCredentials): Promise<DestinationCredentials>;
  /** Those that are stored now. */
  readCredentials(): Promise<DestinationCredentials>;
  /** The ids of folders that were made there, by their path. */
  folderIds: {
    find(path: string): Promise<string | undefined>;
    /** @returns the id that is stored then: another process's if it was first */
    save(path: string, folderId: string): Promise<string>;
    /** Forgets the folder and all below it, because it is gone. */
    forget(path: string): Promise<void>;
  };
  /** Aborted once the call takes too long, or another process has taken it over. */
  signal: AbortSignal;
};

/** A file on its way out. */
export type OutgoingFile = {
  /** Unique for the delivery, and the same in each of its attempts. */
  id: string;
  /** Cleaned names of folders, outermost first. */
  folder: readonly string[];
  /** Cleaned. */
  name: string;
  /** At least one. */
  size: number;
  mimeType: string;
  /** In lower-case hexadecimal. */
  sha256: string;
  /** When the first attempt of the delivery began, in ISO 8601. */
  startedAt: string;
  /** What `saveSession` has stored in an earlier attempt, under this name or an earlier one. */
  session: string | null;
  /** Stores what continues the file after an interruption. Throws if another process has taken it over. */
  saveSession(session: string | null): Promise<void>;
  /** Whether this run has time for another chunk; otherwise the next one continues. */
  hasTime(): boolean;
  /** The bytes, or a part of them. On Workers, `fetch` sends the stream with a Content-Length. */
  read(range?: ByteRange): Promise<ReadableStream<Uint8Array>>;
};

/**
 * Why something did not work:
 * - `missing`: the folder that everything goes into is not there
 * - `again`: try again later, as when the other side fails, does not answer or stores something else
 * - `refused`: the other side does not want it, and says why
 * - `reconnect`: the access has ended; counts as no attempt
 * - `full`: there is no space left; counts as no attempt
 */
export type DestinationProblem = {
  kind: "again" | "refused" | "missing" | "reconnect" | "full";
  /** What the other side said, or why there was no answer. */
  message: string;
  retryAfterSeconds?: number;
};

export type PutOutcome =
  /** The other side has confirmed it. */
  | { kind: "written"; url: string | null }
  /** Another file has this name: it gets the next one. */
  | { kind: "taken" }
  /** The run has no time for the rest; the session has been saved. */
  | { kind: "unfinished" }
  | DestinationProblem;

export type DestinationFolder = { id: string; name: string; driveId?: string };

/** One kind of destination. Nothing is ever read back, overwritten or deleted there, except its own unfinished files. */
export interface Destination {
  /**
   * Writes a small file, checks and removes it; that of `folder` stays, as the file that its settings name.
   * @returns its path, and settings to store besides, or why it did not work
   */
  check(
    access: DestinationAccess,
  ): Promise<{ kind: "works"; path: string; settings?: DestinationSettings } | DestinationProblem>;
  /** Writes the file whole under its name, or nothing. Makes its folders. Throws nothing but unexpected errors. */
  put(access: DestinationAccess, file: OutgoingFile): Promise<PutOutcome>;
  /**
   * A page of the folders in `parent`, or the one of an address that a person has pasted. Only kinds with folders of their own
   * have it.
   */
  folders?(
    access: DestinationAccess,
    query: { parent?: string; address?: string; cursor?: string },
  ): Promise<
    { kind: "folders"; rows: DestinationFolder[]; next?: string } | { kind: "missing" } | DestinationProblem
  >;
  /** Whose grant it is; undefined if the other side does not say. Only kinds that are connected by signing in there have it. */
  account?(
    access: DestinationAccess,
  ): Promise<{ kind: "account"; name: string | undefined } | DestinationProblem>;
  /** Ends the grant, where the other side lets an app do so. */
  revoke?(access: DestinationAccess): Promise<void>;
}

/** The kinds that the operator has set up, loaded when they are needed. */
export type Destinations = Partial<Record<DestinationKind, () => Promise<Destination>>>;
