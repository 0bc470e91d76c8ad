/** What went to one host and came from it. Bytes are those of HTTP/1.1 messages, head and body, without TLS. */
export interface HostUsage {
  /** With its port where that is not 443; `(port 5432)` for connections to a port that the gate does not serve. */
  host: string;
  /** Requests that were let through. */
  requests: number;
  /** Requests, or connections to such a port, that were refused. */
  denied: number;
  bytesIn: number;
  bytesOut: number;
  /** Of hosts that speak another protocol than HTTP: connections that were made, and how long they were open together. */
  connections?: number;
  seconds?: number;
}

/** What is counted. */
export const COUNTS = ['requests', 'denied', 'bytesIn', 'bytesOut'] as const;
export const COUNTS_OF_SERVICES = ['connections', 'seconds'] as const;

const MAX_HOSTS = 200;
/** Counts together what comes after too many hosts. */
const OTHERS = '(other hosts)';
const REPORT_EVERY_MS = 1000;

/** Counts by host, and reports changes at most once a second. */
export class UsageCounters {
  private readonly hosts = new Map<string, HostUsage>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private report: ((usage: HostUsage[]) => void) | undefined) {}

  /** The counters of a host, to be added to; changes are reported within a second. */
  of(host: string): HostUsage {
    if (this.report) this.timer ??= setTimeout(() => this.flush(), REPORT_EVERY_MS).unref();
    const key = this.hosts.has(host) || this.hosts.size < MAX_HOSTS ? host : OTHERS;
    const known = this.hosts.get(key);
    if (known) return known;
    const usage: HostUsage = { host: key, requests: 0, denied: 0, bytesIn: 0, bytesOut: 0 };
    this.hosts.set(key, usage);
    return usage;
  }

  snapshot(): HostUsage[] {
    return [...this.hosts.values()].map((usage) => ({ ...usage }));
  }

  /** Reports for the last time. */
  close(): void {
    this.flush();
    this.report = undefined;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.report?.(this.snapshot());
  }
}

/** The size of a message's head, nearly: its first line and its headers. */
export function headBytes(firstLine: number, rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((sum, part) => sum + part.length + 2, firstLine + 4);
}
