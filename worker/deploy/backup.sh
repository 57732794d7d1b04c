#!/bin/bash
# /usr/local/bin/doculopes-backup: makes a backup, encrypts a copy, and removes old ones.
#   BACKUPS         the folder of backups (/var/backups/doculopes)
#   KEEP            how many are kept (14)
#   AGE_RECIPIENT   encrypt a copy for this age public key, or
#   GPG_RECIPIENT   for this gpg key: one file in ENCRYPTED, to be taken to another machine
#   ENCRYPTED       the folder of encrypted copies (BACKUPS/encrypted)
set -euo pipefail
umask 077

backups="${BACKUPS:-/var/backups/doculopes}"
encrypted="${ENCRYPTED:-$backups/encrypted}"
keep="${KEEP:-14}"
[[ "$keep" =~ ^[1-9][0-9]*$ ]] || { echo "KEEP is $keep, but must be a whole number from 1" >&2; exit 1; }

exec 9>"$backups/.lock"
flock --nonblock 9 || { echo "Another backup is running" >&2; exit 1; }
# Removes what an interrupted backup left. The lock ensures that no other backup is running.
rm -rf "$backups"/*.part "$backups"/*.rows "$encrypted"/*.part

name="$(date -u +%Y-%m-%dT%H%M%SZ)"
# 2: the backup was written, but files are missing or damaged in the store.
status=0
doculopes backup --incremental "$backups/$name" || status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 2 ] || exit "$status"

target=
if [ -n "${AGE_RECIPIENT:-}${GPG_RECIPIENT:-}" ]; then
  mkdir -p "$encrypted"
  if [ -n "${AGE_RECIPIENT:-}" ]; then
    target="$encrypted/$name.tar.age"
    tar -C "$backups" -c "$name" | age --recipient "$AGE_RECIPIENT" >"$target.part"
  else
    target="$encrypted/$name.tar.gpg"
    tar -C "$backups" -c "$name" |
      gpg --batch --quiet --trust-model always --encrypt --recipient "$GPG_RECIPIENT" >"$target.part"
  fi
  sync "$target.part"
  mv "$target.part" "$target"
  echo "Encrypted: $target"
fi

if [ "$status" -ne 0 ]; then
  echo "Kept all backups: an earlier one may have the files named above" >&2
  exit "$status"
fi

# Removes all but the last ones. Names sort by time; but if the clock was ahead, the new one is not the last.
remove_old() {
  local old
  while IFS= read -r old; do
    rm -rf -- "$old"
    echo "Removed: $old"
  done < <(find "$1" -mindepth 1 -maxdepth 1 -name '[0-9][0-9][0-9][0-9]-*Z*' ! -name '*.part' ! -name "$name*" |
    sort | head -n "-$((keep - 1))")
}
remove_old "$backups"
if [ -n "$target" ]; then remove_old "$encrypted"; fi
