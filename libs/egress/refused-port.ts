import type { HostUsage } from './usage-counters.js';

const PLAIN_HTTP = 80;

/** For the log: connections of the box were refused since nothing listens on the port. Which host was meant nobody can tell. */
export function refusedPortLine(port: number): string {
  const cure =
    port === PLAIN_HTTP ? ': use https://' : `, and no host is declared with this port (host:${port})`;
  return `gate: refused a connection to port ${port}: nothing listens on it. Only HTTPS passes${cure}`;
}

export function refusedPortUsage(port: number, attempts: number): HostUsage {
  return { host: `(port ${port})`, requests: 0, denied: attempts, bytesIn: 0, bytesOut: 0 };
}
