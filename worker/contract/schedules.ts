/** The hour at which an envelope is sent on its day, unless another one is given. */
export const DEFAULT_SEND_HOUR = 9;

/** The kinds of mails that tell an account, at most once a day each, what became of its schedules. */
export type ScheduleMail = "not_sent" | "renewed";

/**
 * Why something was not sent on its day. `missed`: the server was down for more than three days; `moved`: an import has
 * moved it to another server before; `password`: that of the account that planned it was
 * changed, or an owner has undone what the account did.
 */
export type NotSentReason =
  | "unsubscribed"
  | "unverified"
  | "limit"
  | "missed"
  | "moved"
  | "password"
  | "gone"
  | "other";

/** One line of such a mail. */
export type ScheduleNews = {
  /** What it is about: an envelope's subject, a series' or a document's name. */
  title: string;
  /** Its recipient, or what else tells it apart. */
  details?: string;
  /** The page of the app that shows it, such as `/?envelope=1`. */
  path: string;
  /** `paused`: the account that a series was sent under has left. */
  reason?: NotSentReason | "paused";
  /** Of a queued mail: it is told to members only. */
  workspaceId?: number;
};
