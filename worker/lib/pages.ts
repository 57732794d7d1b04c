/** The pages of a list, each read when it is needed. */
export async function* pagesOf<Row, Cursor>(
  read: (cursor: Cursor | undefined) => Promise<{ rows: Row[]; next: Cursor | null }>,
): AsyncGenerator<Row[]> {
  for (let cursor: Cursor | undefined; ; ) {
    const { rows, next } = await read(cursor);
    if (rows.length > 0) yield rows;
    if (next === null) return;
    cursor = next;
  }
}
