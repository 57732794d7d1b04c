/** The bytes of Windows-1252 for the characters of these tests. */
const WINDOWS_1252: Record<string, number> = { "€": 0x80, "’": 0x92 };

type Encoding = "utf-8" | "utf-8 with BOM" | "utf-16le" | "utf-16be" | "windows-1252";
export const CSV_ENCODINGS = ["utf-8", "utf-8 with BOM", "utf-16le", "utf-16be", "windows-1252"] as const;

/** A list as a spreadsheet saves it in this encoding; UTF-16 with a byte order mark, as all of them write it. */
export function csvFile(text: string, encoding: Encoding = "utf-8"): File {
  return new File([bytesOf(text, encoding)], "list.csv", { type: "text/csv" });
}

function bytesOf(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  if (encoding === "utf-8") return new TextEncoder().encode(text);
  if (encoding === "utf-8 with BOM") return new TextEncoder().encode(`\ufeff${text}`);
  if (encoding === "windows-1252")
    return Uint8Array.from(text, (character) => WINDOWS_1252[character] ?? character.charCodeAt(0));
  const units = Uint8Array.from(
    [...`\ufeff${text}`].flatMap((character) => {
      const code = character.charCodeAt(0);
      return encoding === "utf-16le" ? [code & 0xff, code >> 8] : [code >> 8, code & 0xff];
    }),
  );
  return units;
}
