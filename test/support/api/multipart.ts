/** One part of a hand-made multipart body; `headers` replaces the generated ones. */
export type Part = {
  name?: string;
  fileName?: string;
  headers?: string;
  content?: string | Uint8Array;
};

type Shape = { boundary?: string; closing?: string };

const text = new TextEncoder();

/** A multipart body byte by byte, valid or not, which FormData could not send. */
export function multipart(parts: Part[], { boundary = "----edge", closing }: Shape = {}) {
  const chunks: Uint8Array[] = [];
  for (const { name, fileName, headers, content = "" } of parts) {
    const names = `${name === undefined ? "" : `; name="${name}"`}${fileName === undefined ? "" : `; filename="${fileName}"`}`;
    const head = headers ?? `Content-Disposition: form-data${names}\r\n\r\n`;
    chunks.push(
      text.encode(`--${boundary}\r\n${head}`),
      typeof content === "string" ? text.encode(content) : content,
      text.encode("\r\n"),
    );
  }
  chunks.push(text.encode(closing ?? `--${boundary}--\r\n`));
  return { bytes: concatBytes(chunks), type: `multipart/form-data; boundary=${boundary}` };
}

export function concatBytes(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/** The bytes in chunks of the given size; fails after `breakAfter` bytes. */
export function trickle(bytes: Uint8Array, size: number, breakAfter = Number.POSITIVE_INFINITY) {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= breakAfter) return controller.error(new Error("The connection broke"));
      if (sent >= bytes.length) return controller.close();
      const chunk = bytes.slice(sent, Math.min(sent + size, breakAfter));
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
}

/** The bytes in two chunks, the second of which waits. */
export function pausing(bytes: Uint8Array, first: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent > 0) await promise;
      const chunk = bytes.slice(sent, sent === 0 ? first : bytes.length);
      sent += chunk.length;
      if (chunk.length === 0) controller.close();
      else controller.enqueue(chunk);
    },
  });
  return { stream, resume: resolve };
}
