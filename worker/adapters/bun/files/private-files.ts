/**
 * Lets only the user that runs this process read what it creates: files get 0600, folders 0700. This includes the
 * database files, which SQLite creates itself.
 */
export function createFilesPrivately(): void {
  process.umask(0o077);
}
