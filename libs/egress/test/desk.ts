import { expect } from 'vitest';
import type { HeldRequest } from '../held-request.js';
import type { Refusal } from '../refusal.js';

export const DENIED: Refusal = {
  status: 403,
  code: 'request_not_approved',
  reason: 'a person has denied it',
  message: 'Denied: not today.',
};

interface Held {
  request: HeldRequest;
  gone: AbortSignal;
  decide(refusal: Refusal | null): void;
}

/** What a gate holds, for a test to decide about. */
export class Desk {
  readonly held: Held[] = [];
  readonly onHeld = (request: HeldRequest, gone: AbortSignal): Promise<Refusal | null> =>
    new Promise((decide) => this.held.push({ request, gone, decide }));

  async next(at: number): Promise<Held> {
    await expect.poll(() => this.held.length).toBeGreaterThan(at);
    return this.held[at]!;
  }
}
