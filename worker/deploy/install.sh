#!/bin/sh
# As root, in the repository, after `bun run compile`: installs or upgrades the server on Debian, behind Caddy.
#   sh worker/deploy/install.sh docs.example.com
set -eu
domain="${1:?Usage: sh worker/deploy/install.sh <domain>}"
here="$(dirname "$0")"
executable="$here/../../doculopes"
[ -x "$executable" ] || { echo "There is no ./doculopes; \`bun run compile\` builds it" >&2; exit 1; }

id doculopes >/dev/null 2>&1 ||
  useradd --system --home-dir /var/lib/doculopes --shell /usr/sbin/nologin doculopes
install -d -m 0755 /etc/doculopes /etc/systemd/system /etc/systemd/journald.conf.d
install -d -m 0700 -o doculopes -g doculopes /var/lib/doculopes /var/cache/doculopes /var/backups/doculopes
# By a rename: the running server keeps its own file.
install -m 0755 "$executable" /usr/local/bin/doculopes.new
mv /usr/local/bin/doculopes.new /usr/local/bin/doculopes
install -m 0755 "$here/backup.sh" /usr/local/bin/doculopes-backup
install -m 0644 "$here"/systemd/doculopes*.service "$here"/systemd/doculopes*.timer /etc/systemd/system/
install -m 0644 "$here/systemd/journald.conf" /etc/systemd/journald.conf.d/doculopes.conf
if [ ! -e /etc/doculopes/doculopes.env ]; then
  sed "s/docs\.example\.com/$domain/" "$here/doculopes.env" >/etc/doculopes/doculopes.env
  chown root:doculopes /etc/doculopes/doculopes.env
  chmod 0640 /etc/doculopes/doculopes.env
fi
# Commands that are run in this folder read the same variables.
ln -sf doculopes.env /etc/doculopes/.env
if [ -d /etc/caddy ] && ! grep -qs "reverse_proxy 127.0.0.1:3000" /etc/caddy/Caddyfile; then
  [ ! -e /etc/caddy/Caddyfile ] || cp /etc/caddy/Caddyfile /etc/caddy/Caddyfile.before
  sed "s/{\$DOMAIN}/$domain/; s/{\$UPSTREAM:127.0.0.1:3000}/127.0.0.1:3000/" "$here/Caddyfile" >/etc/caddy/Caddyfile
fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl enable --now doculopes-backup.timer
  systemctl enable doculopes
  systemctl restart doculopes
  [ ! -d /etc/caddy ] || systemctl reload-or-restart caddy
  echo "Doculopes runs at https://$domain"
else
  echo "Installed. systemd does not run here, so nothing was started"
fi
