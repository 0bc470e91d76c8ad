import type { Claim, Work } from '../../core/work/index.js';

const POSTPONE_SECONDS = 10;

/** Where what failed is put back. */
interface Queue<C> {
  postpone(claim: C, seconds: number): Promise<void>;
}

/** What starts the runs of one that was claimed, in a transaction that names the claim. */
export interface Firing<C> {
  fire(claim: C): Promise<void>;
}

/** One that was claimed: fired, or put back. */
export class FiringWork<C extends Claim> implements Work {
  constructor(
    private readonly claim: C,
    private readonly queue: Queue<C>,
    private readonly firing: Firing<C>,
  ) {}

  /** A failed attempt counts as one that the process did not survive. */
  async carryOut(): Promise<void> {
    try {
      await this.firing.fire(this.claim);
    } catch (error) {
      await this.queue.postpone(this.claim, POSTPONE_SECONDS).catch(() => undefined);
      throw error;
    }
  }

  /** The transaction in progress writes nothing: it holds the row, or has yet to find that it is another's. */
  lost(): void {}
}
