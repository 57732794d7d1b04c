import type { Clock } from "../../ports/clock";
import { type Logger, loggerOf } from "../../ports/logger";

/** Values that need no quotes in a line of text. */
const PLAIN = /^[\w./:@+-]+$/;
/** Characters that JSON does not escape but a terminal may interpret. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Logs each event as one readable line: time, level, event and its fields as `name=value`. */
export function createTextLogger(clock: Clock, write: (line: string) => void): Logger {
  return loggerOf((level, event, fields = {}) => {
    const time = clock.now().toISOString().slice("2026-03-14T".length, "2026-03-14T09:26:53".length);
    const values = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${shown(String(value))}`],
    );
    write([time, level.padEnd(5), escaped(event), ...values].join(" "));
  });
}

const shown = (value: string) => (PLAIN.test(value) ? value : escaped(JSON.stringify(value)));

const escaped = (text: string) =>
  text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Logs each event as one line of JSON. JSON escapes line breaks, so no value can forge a line. */
export function createJsonLogger(clock: Clock, write: (line: string) => void): Logger {
  return loggerOf((level, event, fields = {}) => {
    const head = { time: clock.now().toISOString(), level, event };
    write(JSON.stringify({ ...head, ...fields, ...head }));
  });
}
