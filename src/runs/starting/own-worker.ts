import { Injectable } from '@nestjs/common';

import type { BoundStatement } from '../../core/database/named-parameters.js';
import type { Claimed } from '../../core/work/fair-share.js';
import type { ClaimedRun } from '../execution/claimed-run.js';

/** Writes a run together with a claim, which sees it, and returns what the claim took. */
export type Put = (claim: BoundStatement) => Promise<Claimed<ClaimedRun>>;

/** Carries out what the claim takes. null: there is no free place, or runs wait for it; then nothing was written. */
export type TakeOne = (put: Put) => Promise<ClaimedRun[] | null>;

/** The worker in this process, if it has one: a run that finds a free place there is claimed as it is written. */
@Injectable()
export class OwnWorker {
  private takeOne: TakeOne | null = null;

  offer(takeOne: TakeOne): void {
    this.takeOne = takeOne;
  }

  /** It is being stopped. */
  withdraw(): void {
    this.takeOne = null;
  }

  /** @returns null: nothing was written; otherwise whether this run was taken, rather than one that has waited longer */
  async put(id: string, put: Put): Promise<{ taken: boolean } | null> {
    const runs = (await this.takeOne?.(put)) ?? null;
    return runs && { taken: runs.some((run) => run.id === id) };
  }
}
