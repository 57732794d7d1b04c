/** Envelopes whose `file_bytes` are not those of their files, which must be none. */
export const MISCOUNTED =
  "select id, file_bytes from envelopes where file_bytes <> (select coalesce(sum(file_size), 0) from submissions where envelope_id = envelopes.id and deleted_at is null)";
