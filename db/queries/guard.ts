import { and, type SQL, sql } from "drizzle-orm";

/** True or not. What is not true may be NULL. */
export type Condition = SQL;

/** Whether all of them are true. */
export const all = (...conditions: [Condition, ...Condition[]]): Condition => and(...conditions) as SQL;

/**
 * `value` while the condition is true, otherwise NULL, which a column that requires a value rejects with the whole batch:
 * see decisions/null-as-a-guard.md. Written where the row is written; only conditions are passed on. Without a condition,
 * it is the value.
 */
export const onlyWhile = <T>(condition: Condition | undefined, value: T | SQL<T>): SQL<T> =>
  condition ? sql<T>`case when ${condition} then ${value} end` : sql<T>`${value}`;
