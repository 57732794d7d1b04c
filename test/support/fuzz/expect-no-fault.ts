import type { Answer } from "../api/client";

/** @throws Error for a 5xx, or an error without a message */
export function expectNoFault(answer: Answer, what: unknown) {
  const known = answer.status < 500 && (answer.status < 400 || (answer.body?.message && answer.body?.code));
  if (!known)
    throw new Error(
      `${answer.status} ${answer.text.slice(0, 200)} for ${JSON.stringify(what).slice(0, 1000)}`,
    );
}
