#!/bin/bash
# /usr/local/bin/doculopes-backup: makes a backup, encrypts a copy, and removes old ones.
#   BACKUPS         the folder of backups (/var/backups/doculopes)
#   KEEP            how many are kept (14)
#   AGE_RECIPIENT   encrypt a copy for this age public key, or
#   GPG_RECIPIENT   for this gpg key: one file in ENCRYPTED, to be taken to another machine. Each has all files, also those
#                   that backups share
#   ENCRYPTED       the folder of encrypted copies (BACKUPS/encrypted)
#   KEEP_ENCRYPTED  how many of them are kept (KEEP)
#   MIN_FREE_MB     how much space they leave free on their disk (500), as the server does
set -euo pipefail
umask 077

backups="${BACKUPS:-/var/backups/doculopes}"
encrypted="${ENCRYPTED:-$backups/encrypted}"
keep="${KEEP:-14}"
keep_encrypted="${KEEP_ENCRYPTED:-$keep}"
for number in "KEEP is $keep" "KEEP_ENCRYPTED is $keep_encrypted"; do
  [[ "$number" =~ ^[A-Z_]+\ is\ [1-9][0-9]*$ ]] || { echo "$number, but must be a whole number from 1" >&2; exit 1; }
done

exec 9>"$backups/.lock"
flock --nonblock 9 || { echo "Another backup is running" >&2; exit 1; }
# Removes what an interrupted backup left. The lock ensures that no other backup is running.
rm -rf "$backups"/*.part "$backups"/*.rows "$encrypted"/*.part

name="$(date -u +%Y-%m-%dT%H%M%SZ)"
options=(--incremental)
# A backup whose copy fails has failed, so it is recorded after it.
[ -z "${AGE_RECIPIENT:-}${GPG_RECIPIENT:-}" ] || options+=(--unrecorded)
# 2: the backup was written, but files are missing or damaged in the store.
status=0
doculopes backup "${options[@]}" "$backups/$name" || status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 2 ] || exit "$status"

require_space() {
  local needed free
  needed=$(($(du --summarize --apparent-size --block-size=1M "$backups/$name" | cut -f 1) * 21 / 20 + 1))
  free=$(($(df --output=avail --block-size=1M "$encrypted" | tail -n 1) - ${MIN_FREE_MB:-500}))
  [ "$free" -ge "$needed" ] && return
  echo "The encrypted copy needs $needed MB, but $free MB are free for it in $encrypted: lower KEEP_ENCRYPTED, or set ENCRYPTED to a folder on another disk. Kept all backups" >&2
  exit 1
}

encrypt() {
  if [ -n "${AGE_RECIPIENT:-}" ]; then age --recipient "$AGE_RECIPIENT"
  else gpg --batch --quiet --trust-model always --encrypt --recipient "$GPG_RECIPIENT"; fi
}

target=
if [ "${#options[@]}" -gt 1 ]; then
  mkdir -p "$encrypted"
  require_space
  target="$encrypted/$name.tar.$([ -n "${AGE_RECIPIENT:-}" ] && echo age || echo gpg)"
  trap 'rm -f "$target.part"' EXIT
  tar -C "$backups" -c "$name" | encrypt >"$target.part"
  sync "$target.part"
  mv "$target.part" "$target"
  echo "Encrypted: $target"
  [ "$status" -ne 0 ] || doculopes backup --record "$backups/$name"
fi

if [ "$status" -ne 0 ]; then
  echo "Kept all backups: an earlier one may have the files named above" >&2
  exit "$status"
fi

# Removes all but the last ones. Names sort by time; but if the clock was ahead, the new one is not the last.
remove_old() { # folder, how many to keep
  local old
  while IFS= read -r old; do
    rm -rf -- "$old"
    echo "Removed: $old"
  done < <(find "$1" -mindepth 1 -maxdepth 1 -name '[0-9][0-9][0-9][0-9]-*Z*' ! -name '*.part' ! -name "$name*" |
    sort | head -n "-$(($2 - 1))")
}
remove_old "$backups" "$keep"
if [ -n "$target" ]; then remove_old "$encrypted" "$keep_encrypted"; fi
