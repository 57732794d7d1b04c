/** If-None-Match uses weak comparison (RFC 9110): `W/"a"` equals `"a"`. */
export const matchesEtag = (header: string | null | undefined, etag: string): boolean =>
  header?.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, ""))) ?? false;
