/**
 * Lets only the user that runs this process read what it creates: files get 0600, folders 0700. It holds for the
 * database too, whose files SQLite creates by itself.
 */
export function createFilesPrivately(): void {
  process.umask(0o077);
}
