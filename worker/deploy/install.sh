#!/bin/sh
# As root, in the repository, after `bun run compile`: installs or upgrades the server on Debian, behind Caddy.
#   sh worker/deploy/install.sh docs.example.com
# Can be run again at any time. Keeps /etc/doculopes and everything in Caddy's configuration, and says what it adds.
set -eu
# Alone, since within a pipeline it would end a subshell only.
: "${1:?Usage: sh worker/deploy/install.sh <domain>}"
domain="$(printf %s "$1" | tr '[:upper:]' '[:lower:]')"
reject_domain() { echo "$1 is not a domain alone, such as docs.example.com" >&2; exit 1; }
case "$domain" in
  *[!a-z0-9.-]* | [.-]*) reject_domain "$1" ;;
  *[a-z]*) ;;
  *) reject_domain "$1" ;;
esac
here="$(dirname "$0")"
executable="$here/../../doculopes"
installed=/usr/local/bin/doculopes
environment=/etc/doculopes/doculopes.env
caddyfile=/etc/caddy/Caddyfile
snippet=/etc/caddy/doculopes.caddy
[ -x "$executable" ] || { echo "There is no ./doculopes; \`bun run compile\` builds it" >&2; exit 1; }
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# The value of a variable in the environment file.
setting() {
  sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" "$environment" | tail -n 1 | tr -d "\"' \t\r"
}

require_domain() {
  [ -e "$environment" ] || return 0
  public="$(setting PUBLIC_URL | sed -E 's,^[a-z]+://,,; s,[:/].*,,')"
  [ "${public:-$domain}" = "$domain" ] && return 0
  echo "PUBLIC_URL in $environment is for $public, not for $domain: change it there first. Nothing was changed" >&2
  exit 1
}

install_server() {
  id doculopes >/dev/null 2>&1 ||
    useradd --system --home-dir /var/lib/doculopes --shell /usr/sbin/nologin doculopes
  install -d -m 0755 /etc/doculopes /etc/systemd/system
  install -d -m 0700 -o doculopes -g doculopes /var/lib/doculopes /var/cache/doculopes /var/backups/doculopes
  if [ -e "$installed" ] && ! cmp -s "$executable" "$installed"; then
    ln -f "$installed" "$installed.before"
    echo "$installed.before is the version before. To return to it: systemctl stop doculopes; mv $installed.before $installed;"
    echo "then restore the backup made before the upgrade, since it does not start with a migrated database, and systemctl start doculopes"
  fi
  # By a rename: the running server keeps its own file.
  install -m 0755 "$executable" "$installed.new"
  mv "$installed.new" "$installed"
  install -m 0755 "$here/backup.sh" /usr/local/bin/doculopes-backup
  install -m 0644 "$here"/systemd/doculopes*.service "$here"/systemd/doculopes*.timer /etc/systemd/system/
  if [ ! -e "$environment" ]; then
    sed "s/docs\.example\.com/$domain/" "$here/doculopes.env" >"$environment"
    chown root:doculopes "$environment"
    chmod 0640 "$environment"
  elif grep -q '^PUBLIC_URL=https://$' "$environment"; then
    # As an earlier version of this script wrote it, when it was called without a domain.
    sed -i --follow-symlinks "s,^PUBLIC_URL=https://$,&$domain," "$environment"
  fi
  # Commands that are run in this folder read the same variables.
  ln -sf doculopes.env /etc/doculopes/.env
}

# What Caddy makes of a Caddyfile and its imports, in $work/adapted. `caddy adapt` only reads; `caddy validate` as root
# would create log files that Caddy itself cannot write to.
adapt() { caddy adapt --config "$1" --adapter caddyfile >"$work/adapted" 2>"$work/problem"; }
serves_domain() {
  adapt "$1" && grep -qE "\"host\":\[[^]]*\"$(printf %s "$domain" | sed 's/\./\\./g')\"" "$work/adapted"
}
proxies_to_server() {
  for address in "$host" localhost 127.0.0.1 "[::1]"; do
    if grep -qF "\"dial\":\"$address:$port\"" "$work/adapted"; then return 0; fi
  done
  return 1
}
imports_snippet() { grep -qsE '^[[:space:]]*import[[:space:]].*doculopes\.caddy' "$caddyfile"; }

# The sites of the snippet, without those of former names, which follow the mark and are written again by each run.
mark='# Former names:'
own_part() { sed "/^$mark/,\$d" "$1"; }

# Whether a file names the domain: itself, not one that it is a part of, and not in a comment. Adapting the snippet alone
# would fail if it uses what the Caddyfile defines.
names_domain() {
  grep -qsE "^([^#]*[^#a-z0-9.-])?$(printf %s "$domain" | sed 's/\./\\./g')([^a-z0-9.-]|$)" "$1"
}

# The names of each site in a file, a line a site. With a name as $2: the file with that one instead of the first site's.
sites() {
  awk -v name="${2:-}" '
    !depth && /\{[[:space:]]*$/ && !/^[[:space:]]*[(#]/ {
      names = $0
      gsub(/https:\/\/|[,{]/, " ", names)
      if (name == "") print names
      else if (!renamed++) $0 = name " {"
    }
    name != "" { print }
    /^[^#]*\{[[:space:]]*$/ { depth++ }
    /^[[:space:]]*\}/ { depth-- }
  ' "$1"
}

# The snippet as it is, with the server's present address if it proxies to one other, and a redirect from each former name;
# or a new one.
write_snippet() {
  local_proxy='(reverse_proxy[[:space:]]+)(localhost|127\.0\.0\.1|\[::1\]):[0-9]+'
  : >"$work/former"
  if [ -e "$snippet" ]; then
    own_part "$snippet" >"$work/own"
    sed -n "/^$mark/,\$p" "$snippet" >"$work/redirects"
    sites "$work/redirects" >"$work/former"
    if ! names_domain "$work/own"; then
      sites "$work/own" | head -n 1 >>"$work/former"
      sites "$work/own" "$domain" >"$work/renamed"
      mv "$work/renamed" "$work/own"
      # Not a site in braces, so that it could not be renamed.
      names_domain "$work/own" || own_part "$here/Caddyfile" >"$work/own"
    fi
  else
    own_part "$here/Caddyfile" >"$work/own"
  fi
  if grep -qE "reverse_proxy.*:$port([[:space:]]|$)" "$work/own" || [ "$(grep -cE "$local_proxy" "$work/own")" != 1 ]; then
    cat "$work/own"
  else
    sed -E "s/$local_proxy/\1$host:$port/" "$work/own"
  fi
  tr -s '[:space:]' '\n' <"$work/former" | { grep -vxF -e "$domain" -e '' || true; } | sort -u | paste -s -d , - |
    sed 's/,/, /g' >"$work/names"
  mv "$work/names" "$work/former"
  [ -z "$(cat "$work/former")" ] || sed -n "/^$mark/,\$p" "$here/Caddyfile"
}

restore_caddy() {
  for path in "$snippet" "$caddyfile"; do
    saved="$work/$(basename "$path")"
    if [ -e "$saved" ]; then cat "$saved" >"$path"; else rm -f "$path"; fi
  done
  echo "Caddy: $1. Its files are as they were before" >&2
}

# Writes the snippet, and imports it unless the Caddyfile does so already. Fails if Caddy does not accept that.
add_site() {
  for path in "$snippet" "$caddyfile"; do [ ! -e "$path" ] || cp "$path" "$work/"; done
  write_snippet >"$work/template"
  former="$(cat "$work/former")"
  sed "s/{\$DOMAIN}/$domain/; s/{\$UPSTREAM:127.0.0.1:3000}/$host:$port/; s/{\$FORMER_DOMAINS:[^}]*}/$former/" \
    "$work/template" >"$work/site"
  if ! cmp -s "$work/site" "$snippet"; then
    [ ! -e "$snippet" ] || cp -p "$snippet" "$snippet.before" || return 1
    mkdir -p /etc/caddy/doculopes.d
    cat "$work/site" >"$snippet"
    chmod 0644 "$snippet"
    echo "Caddy: wrote $snippet, which proxies $domain to $host:$port${former:+, and redirects $former to it}"
    changed=yes
  fi
  if imports_snippet || serves_domain "$caddyfile"; then return 0; fi
  # Beside the Caddyfile, because imports are relative to it.
  candidate="$caddyfile.doculopes"
  { [ ! -e "$caddyfile" ] || cat "$caddyfile"; printf '\nimport %s\n' "$snippet"; } >"$candidate"
  accepted=no
  if serves_domain "$candidate"; then accepted=yes; fi
  rm "$candidate"
  if [ "$accepted" = no ]; then
    restore_caddy "$caddyfile with the line \"import $snippet\" is not accepted ($(tail -n 1 "$work/problem"))"
    return 1
  fi
  if [ -e "$caddyfile" ]; then cp -p "$caddyfile" "$caddyfile.before-doculopes" || return 1; fi
  printf '\nimport %s\n' "$snippet" >>"$caddyfile" || return 1
  echo "Caddy: added the line \"import $snippet\" to $caddyfile; $caddyfile.before-doculopes is a copy without it"
  changed=yes
}

# Never changes a site of the domain that is not in the snippet.
configure_caddy() {
  if ! command -v caddy >/dev/null; then
    echo "Caddy is not installed: https needs a proxy in front of $host:$port, such as worker/deploy/nginx.conf"
    return 0
  fi
  if [ ! -e "$snippet" ] && serves_domain "$caddyfile"; then
    echo "Caddy: $caddyfile has a site for $domain already, which was left as it is"
  else
    add_site || return 1
    [ "$changed" = no ] || load_caddy || return 1
  fi
  if ! adapt "$caddyfile" || proxies_to_server; then return 0; fi
  echo "Caddy: no site proxies to $host:$port, where the server listens; see worker/deploy/Caddyfile" >&2
}

load_caddy() {
  [ -d /run/systemd/system ] || return 0
  how=reload-or-restart
  # Without its admin interface Caddy cannot reload.
  if adapt "$caddyfile" && grep -q '"admin":{"disabled":true' "$work/adapted"; then how=restart; fi
  systemctl "$how" caddy && return 0
  restore_caddy "it could not load the site, see \`journalctl -u caddy\`"
  systemctl "$how" caddy || true
  return 1
}

# `systemctl start` waits until the port answers, and another server would answer for this one.
require_free_port() {
  if systemctl is-active --quiet doculopes; then return 0; fi
  (cd /etc/doculopes && doculopes ready --running >/dev/null 2>&1) || return 0
  echo "Another Doculopes answers at $host:$port: stop it, or change PORT in $environment, and run this again" >&2
  return 1
}

require_domain
install_server
port="$(setting PORT)"
port="${port:-3000}"
host="$(setting HOST)"
case "$host" in
  "" | localhost | 0.0.0.0 | ::) host=127.0.0.1 ;;
  [!\[]*:*) host="[$host]" ;;
esac
changed=no
if [ -d /run/systemd/system ]; then
  require_free_port
  systemctl daemon-reload
  systemctl enable --now doculopes-backup.timer
  systemctl enable doculopes
  echo "Starting; if that migrates a large database, it takes minutes: journalctl -u doculopes"
  if ! systemctl restart doculopes; then
    journalctl --unit doculopes --identifier doculopes --output cat --lines 5 >&2
    exit 1
  fi
  configure_caddy
  echo "Doculopes runs at https://$domain"
else
  configure_caddy
  echo "Installed. systemd does not run here, so nothing was started"
fi
