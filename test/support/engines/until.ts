const TIMEOUT_MS = 60_000;
const PAUSE_MS = 25;

/** Polls until the answer is accepted. A page that is navigating cannot answer; that is not a failure. */
export async function until<Answer>(
  ask: () => Promise<Answer>,
  isAccepted: (answer: Answer) => boolean,
): Promise<Answer> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await ask().catch((error: Error) => error);
    if (!(answer instanceof Error) && isAccepted(answer)) return answer;
    if (performance.now() > deadline)
      throw new Error(`Waited for ${TIMEOUT_MS / 1000} s; at last: ${answer}`);
    await Bun.sleep(PAUSE_MS);
  }
}

export const isTrue = (answer: unknown) => answer === true;
