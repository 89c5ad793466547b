# syntax=docker/dockerfile:1

# An image with glibc: the file locks have no binary for musl, so Relata cannot write on Alpine.
# Node.js 24 is the newest LTS that every test runs on.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY tsconfig.json ./
COPY scripts scripts
COPY config config
COPY assets assets
COPY engine engine
COPY src src
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
# Both are read by glibc. MALLOC_MMAP_THRESHOLD_: caches that grew give the memory of their smaller selves back.
# GLIBC_TUNABLES: large caches stand in huge pages, so that a check waits less for memory.
ENV NODE_ENV=production \
    RELATA_HOST=0.0.0.0 \
    RELATA_PORT=8080 \
    RELATA_DATA_DIR=/data \
    RELATA_DEMO=0 \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.arena_max=2
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/config config
COPY --from=build /app/assets assets
COPY --from=build /app/src/docs src/docs
COPY --from=build /app/dist dist
# A volume takes its owner from the folder that it is mounted over.
RUN install -d -o node -g node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.RELATA_PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node.js as the first process receives SIGTERM itself, and drains.
CMD ["node", "dist/bundle/main.js", "serve"]
