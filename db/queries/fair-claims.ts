import { type Placeholder, type SQL, sql } from "drizzle-orm";

/** Which accounts a claim of messages serves: all in turn, and none with more than its share. */
export type Turn = {
  /** How many messages to claim at most. */
  limit: number;
  /** How many messages of one account may be claimed at a time. */
  share: number;
  /** The number of messages that are being sent, by account. */
  running: Readonly<Record<number, number>>;
  /** The account served last: the one with the next greater id is next. */
  after: number;
  /** How many accounts can be served at a time. */
  slots: number;
};

/** A claim of messages by one sender until `claimedUntil`. An expired one, whose process died, may be taken over. */
export type Claim = {
  claimedBy: string;
  now: string;
  claimedUntil: string;
  turn: Turn;
  /** Claims messages that wait for a retry instead of those that are due. */
  waiting?: boolean;
};

/** The account of messages that belong to none. */
export const NO_ACCOUNT = 0;

type Value = number | string | Placeholder;

/**
 * The place of a row with the column `account` among its account's messages, after those that are being sent
 * (JSON of `running`). Above `share` it must not be claimed.
 */
export const placeInTurn = (running: Value, order: SQL) =>
  sql`row_number() over (partition by account order by ${order})
    + ifnull(json_extract(${running}, '$."' || account || '"'), 0)`;

/** The order of rows with the columns `account` and `place`: the first message of each account precedes all second ones. */
export const inTurn = (after: Value) => sql`place, account <= ${after}, account`;
