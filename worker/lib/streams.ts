type Source = {
  read: () => Promise<{ done: boolean; value?: Uint8Array }>;
  cancel: (reason: unknown) => Promise<void>;
  /** Is called once it ends, fails or is cancelled. */
  end: () => void;
};

/** A stream of what `read` returns, each when the receiver asks for it. */
export const streamOf = ({ read, cancel, end }: Source): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await read().catch((error: unknown) => {
          end();
          throw error;
        });
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      },
      cancel(reason) {
        end();
        return cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );

/** More than other servers have to say about a sign-in, a message or a folder. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** The text of a response, as far as these first bytes of it go. */
export async function readBeginning({ body }: Response, maxBytes = MAX_TEXT_BYTES): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let left = maxBytes; left > 0; ) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.byteLength;
  }
  reader.cancel().catch(() => {});
  return text;
}
