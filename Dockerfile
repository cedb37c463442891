# Inframe with everything that it needs. docs/operating.md says how to run it, as one process or as several.
FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/remove-other-systems.ts scripts/
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY . .
RUN npm run build && mkdir /data && chown node:node /data
# Postgres refuses to run as root, and nothing else needs root.
USER node
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=60s --interval=15s --timeout=5s \
  CMD node -e "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
# Inframe finishes running uploads and jobs before it stops: use `docker stop --time 90`.
CMD ["node", "src/main.ts"]
