import type { Work } from '../../core/work/index.js';
import type { FiringClaimsRepository } from './firing-claims.repository.js';
import type { ClaimedFiring } from './firing-claims.sql.js';
import type { TriggerFiringService } from './trigger-firing.service.js';

const POSTPONE_SECONDS = 10;

/** One claimed event: its next triggers fired, in one transaction that names the claim. */
export class FiringWork implements Work {
  constructor(
    private readonly claim: ClaimedFiring,
    private readonly claims: FiringClaimsRepository,
    private readonly service: TriggerFiringService,
  ) {}

  /** A failed attempt counts as one that the process did not survive. */
  async carryOut(): Promise<void> {
    try {
      await this.service.fire(this.claim);
    } catch (error) {
      await this.claims.postpone(this.claim, POSTPONE_SECONDS).catch(() => undefined);
      throw error;
    }
  }

  /** The transaction in progress writes nothing: it holds the row, or has yet to find that it is another's. */
  lost(): void {}
}
