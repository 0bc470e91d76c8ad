import type { ServerResponse } from 'node:http';
import type { HeldRequest } from './held-request.js';
import type { Refusal } from './refusal.js';
import { malformed } from './request-checks.js';
import { doubtAbout, type RequestRules } from './request-rules.js';
import type { ScopedRequest } from './request-scope.js';

/**
 * Decides about a request that is held: null sends it, a refusal is the script's response.
 *
 * @param gone aborts when the script has hung up: nothing is sent then, whatever the decision
 */
export type DecideHeld = (request: HeldRequest, gone: AbortSignal) => Promise<Refusal | null>;

/** Of one gate at a time, those included whose bodies are still on their way. */
export const MOST_HELD = 16;
/** Of one gate in all. */
export const MOST_ASKED = 10_000;
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export const UNDECIDED: Refusal = {
  status: 403,
  code: 'request_not_approved',
  reason: 'it waits for a decision that could not be had',
  message: 'This request needs a decision, which could not be had. Send it again later.',
};

/** The requests of one gate of which nothing leaves before somebody has decided. */
export class HeldRequests {
  private places = MOST_HELD;
  private deciding = 0;
  private count = 0;

  /**
   * @param readsOnly whatever is more than to read is held, without any rule
   * @param decide without it, what has to be held is refused
   */
  constructor(
    private readonly rules: RequestRules,
    private readonly readsOnly: boolean,
    private readonly decide: DecideHeld | undefined,
  ) {}

  /** Whether a request that may pass is held. @param name of a declared host, in its one form */
  includes(name: string, port: number, request: ScopedRequest): boolean {
    if (this.readsOnly && !(READS.has(request.method) && doubtAbout(request) === null)) return true;
    return this.rules.asks(name, port, request);
  }

  /** Why a websocket, whose messages cannot be held, does not pass; or null. */
  websocketProblem(name: string, port: number, request: ScopedRequest): Refusal | null {
    if (!this.rules.asks(name, port, request)) return null;
    const problem = 'a websocket cannot be held until somebody has decided about it';
    return { ...malformed(problem), status: 403, code: 'request_not_declared' };
  }

  /** Takes a place until the response is over. @returns why there is none, or null */
  begin(res: ServerResponse): Refusal | null {
    if (this.places === 0) return tooMany(`more than ${MOST_HELD} requests wait for a decision at a time`);
    this.places -= 1;
    res.once('close', () => {
      this.places += 1;
    });
    return null;
  }

  async ask(request: Omit<HeldRequest, 'number' | 'at'>, gone: AbortSignal): Promise<Refusal | null> {
    if (!this.decide) return UNDECIDED;
    if (this.count >= MOST_ASKED) return tooMany(`more than ${MOST_ASKED} requests needed a decision`);
    // One whose script has hung up counts until whoever decides has heard of it.
    if (this.deciding >= MOST_HELD)
      return tooMany(`more than ${MOST_HELD} requests wait for a decision at a time`);
    this.count += 1;
    this.deciding += 1;
    try {
      return await this.decide({ ...request, number: this.count, at: Date.now() }, gone);
    } catch {
      return UNDECIDED;
    } finally {
      this.deciding -= 1;
    }
  }
}

function tooMany(problem: string): Refusal {
  return { ...malformed(problem), status: 429, code: 'too_many_requests' };
}
