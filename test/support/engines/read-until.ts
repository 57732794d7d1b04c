/** Reads a process's output up to the line that matches, and continues reading so that the process never blocks. */
export async function readUntil(
  stream: ReadableStream<Uint8Array>,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  const found = Promise.withResolvers<RegExpExecArray>();
  const read = async () => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      const match = pattern.exec(text);
      if (match) found.resolve(match);
    }
    found.reject(new Error(`The process ended without ${pattern}: ${text}`));
  };
  read().catch(found.reject);
  return found.promise;
}
