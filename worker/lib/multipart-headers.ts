const CR = 13;
const LF = 10;
const TAB = 9;
const END_OF_HEADERS = [CR, LF, CR, LF];

/**
 * Replaces control characters in multipart headers with tabs, chunk by chunk. Problem: browsers send the control
 * characters of a file name unchanged, and the parser rejects the whole body for one. A tab is later removed from the
 * name.
 */
export function cleanPartHeaders(boundary: string): (piece: Uint8Array) => Uint8Array {
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  let inHeaders = false;
  // The first delimiter is at the very beginning, without a line break before it.
  let matched = 2;

  return (piece) => {
    let cleaned = piece;
    for (let index = 0; index < piece.length; index++) {
      if (!inHeaders && matched === 0) {
        index = piece.indexOf(CR, index);
        if (index < 0) break;
      }
      const byte = piece[index] ?? 0;
      if (inHeaders && isControl(byte)) {
        if (cleaned === piece) cleaned = piece.slice();
        cleaned[index] = TAB;
      }
      const wanted = inHeaders ? END_OF_HEADERS : delimiter;
      matched = byte === wanted[matched] ? matched + 1 : byte === CR ? 1 : 0;
      if (matched === wanted.length) {
        inHeaders = !inHeaders;
        matched = 0;
      }
    }
    return cleaned;
  };
}

const isControl = (byte: number) => (byte < 32 && byte !== TAB && byte !== LF && byte !== CR) || byte === 127;

/** What `cleanPartHeaders` makes of a header's text. */
export const withoutControls = (text: string) =>
  [...text].map((char) => (isControl(char.charCodeAt(0)) ? "\t" : char)).join("");
