# Node 24 in /usr/local on Debian, with npm beside it.
ARG BASE=node:24-bookworm-slim

# What scripts run with, and what their box is made of.
FROM ${BASE} AS runtime
RUN apt-get update -qq \
  && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    bubblewrap ca-certificates python3 python3-pip \
  && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* /usr/share/doc/* /usr/share/man/* \
  && install -d -o 1000 -g 1000 -m 0700 /data /files

# The launcher of boxes and the starter of the gate.
FROM ${BASE} AS native
RUN apt-get update -qq \
  && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends gcc libc6-dev
WORKDIR /build
COPY libs/sandbox libs/sandbox
COPY libs/egress libs/egress
RUN node libs/sandbox/build-launcher.mjs && node libs/egress/build-starter.mjs

FROM ${BASE} AS program
WORKDIR /build
COPY package.json package-lock.json ./
COPY libs/cli/package.json libs/cli/
COPY libs/client/package.json libs/client/
COPY libs/console/package.json libs/console/
COPY libs/extension/package.json libs/extension/
COPY libs/testing/package.json libs/testing/
COPY test/package.json test/
COPY libs/bootstrap libs/bootstrap
# For a registry of one's own: its npmrc, and the authority that vouches for it. Neither stays in a layer.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=ca \
  NODE_EXTRA_CA_CERTS=/run/secrets/ca node libs/bootstrap/packages.mjs
COPY . .
# Types and source maps are of no use to a program that runs, and more than a third of what its packages weigh.
RUN node libs/bootstrap/image.mjs \
  && mkdir -p /app/libs/console \
  && mv package.json node_modules dist deploy/healthcheck.mjs /app \
  && node deploy/kubelet-seccomp.mjs >/app/seccomp.json \
  && mv libs/console/dist /app/libs/console \
  && rm -rf /app/node_modules/typescript /app/node_modules/@gatehouse /app/dist/.[a-z]* \
  && find /app -type f -regex '.*\.\([cm]?ts\|map\|tsbuildinfo\)' -delete
COPY --from=native /build/dist/libs /app/dist/libs

FROM runtime
LABEL org.opencontainers.image.title=Gatehouse \
  org.opencontainers.image.version=0.3.0 \
  org.opencontainers.image.licenses=UNLICENSED
COPY --from=program /app /app
WORKDIR /app
ENV NODE_ENV=production HOME=/tmp GATEHOUSE_DATA=/data GATEHOUSE_WORKER_PORT=3000
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "healthcheck.mjs"]
# Node is process 1 itself: a stop reaches it, and it waits for running scripts.
CMD ["node", "--max-semi-space-size=16", "dist/src/main.js"]
