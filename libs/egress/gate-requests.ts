import { METHODS } from 'node:http';
import type { HostSet } from './host-set.js';

/** A request of the script, for whoever traces them. Nothing in it is the script's own words. */
export interface GateRequest {
  /** As it is declared: a wildcard stands for the names below it. null: it is not declared. */
  host: string | null;
  /** `_OTHER`: none of HTTP's. */
  method: string;
  /** Of the response that the script got; null: it got none. */
  status: number | null;
  /** The gate's rules did not let it through. */
  refused: boolean;
  /** When it came, in milliseconds since 1970. */
  at: number;
  durationMs: number;
}

/** A request whose response is not over yet. */
export interface OpenRequest {
  status: number | null;
  /** Tells of it; once. */
  end(): void;
}

/** Of one gate; the counts have all of them. */
export const MOST_REQUESTS_TOLD = 256;
export const OTHER_METHOD = '_OTHER';
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

/** Tells of the requests at a gate as they end, and when it closes of those that have not. */
export class GateRequests {
  private readonly open = new Set<OpenRequest>();
  private left = MOST_REQUESTS_TOLD;

  constructor(
    private readonly hosts: HostSet,
    private readonly tell: (request: GateRequest) => void,
  ) {}

  /** null: too many were told of already. */
  begin(
    host: { name: string; port: number },
    { method = '' }: { method?: string | undefined },
    refused: boolean,
  ): OpenRequest | null {
    if (this.left === 0) return null;
    this.left -= 1;
    const at = Date.now();
    const began = performance.now();
    const open: OpenRequest = {
      status: null,
      end: () => {
        if (!this.open.delete(open)) return;
        this.tell({
          host: this.hosts.declarationOf(host.name, host.port),
          method: isKnownMethod(method) ? method : OTHER_METHOD,
          status: open.status,
          refused,
          at,
          durationMs: Math.round(performance.now() - began),
        });
      },
    };
    this.open.add(open);
    return open;
  }

  close(): void {
    for (const open of [...this.open]) open.end();
  }
}

export function isKnownMethod(method: string): boolean {
  return KNOWN_METHODS.has(method);
}
