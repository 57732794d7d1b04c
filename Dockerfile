# The app as one executable, running as an ordinary user. It writes to /data, /backups and /tmp only.
FROM oven/bun:1.4.5 AS build
WORKDIR /build
COPY package.json bun.lock tsconfig.json ./
RUN bun install --frozen-lockfile --no-progress
COPY worker worker
COPY web web
COPY db db
COPY locales locales
# What `--version` and `GET /api/health` name, since the history is not copied: "<commit> <date>".
ARG REVISION
RUN bun worker/cli/compile.ts /build/doculopes

FROM debian:trixie-slim
# For the encrypted copies of backups.
RUN apt-get update && apt-get install --yes --no-install-recommends age && rm -rf /var/lib/apt/lists/*
RUN install -d -o 10001 -g 10001 -m 0700 /data /backups
COPY --from=build /build/doculopes /usr/local/bin/doculopes
COPY worker/deploy/backup.sh /usr/local/bin/doculopes-backup
# Not COPY --chmod: Debian 12's docker-compose builds without BuildKit.
RUN chmod 0755 /usr/local/bin/doculopes-backup
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data BACKUPS=/backups
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=15s --start-period=30m CMD ["doculopes", "ready", "--running"]
ENTRYPOINT ["doculopes"]
