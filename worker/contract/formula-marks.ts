/** What spreadsheets take for the beginning of a formula, behind marks that a text may have already. */
const AT_START = /^'*[=+\-@＝＋－＠]/;

/** The same behind a character that other spreadsheets read as the end of a cell; quotes do not prevent that. */
const LATER = /([;\t\r\n][\s"]*)('*)([=+\-@＝＋－＠]?)/g;

/** The same for a file whose cells end with semicolons. */
const LATER_OR_COMMA = /([,;\t\r\n][\s"]*)('*)([=+\-@＝＋－＠]?)/g;

/** The text with a mark before whatever a spreadsheet would interpret as a formula. */
export function markFormulas(text: string, separator: "," | ";" = ","): string {
  const later = separator === "," ? LATER : LATER_OR_COMMA;
  const marked = text.replace(later, (all, before: string, marks: string, sign: string) =>
    sign ? `${before}'${marks}${sign}` : all,
  );
  return AT_START.test(text) || /^[\t\r\n]/.test(text) ? `'${marked}` : marked;
}

/** The text that `markFormulas` has marked. */
export function unmarkFormulas(marked: string): string {
  const text = marked.replace(LATER, (all, before: string, marks: string, sign: string) =>
    sign && marks ? `${before}${marks.slice(1)}${sign}` : all,
  );
  return text.startsWith("'") && AT_START.test(text) ? text.slice(1) : text;
}
