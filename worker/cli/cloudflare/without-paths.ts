import { stripANSI } from "bun";

/** wrangler's own log line of a request, such as `[wrangler:info] GET /api/submissions/… 200 OK (5ms)`. */
const REQUEST = /\[wrangler:info\] *[A-Z]+ \//;

const isRequest = (line: string) => REQUEST.test(stripANSI(line));

/**
 * Forwards all lines except wrangler's own lines of requests: their paths may contain the token of a link, and the
 * Worker logs each request itself.
 */
export async function printWithoutPaths(
  output: ReadableStream<Uint8Array<ArrayBuffer>>,
  print: (text: string) => void,
): Promise<void> {
  let rest = "";
  for await (const chunk of output.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    const shown = lines.filter((line) => !isRequest(line));
    if (shown.length > 0) print(`${shown.join("\n")}\n`);
  }
  if (rest && !isRequest(rest)) print(rest);
}
