import { Injectable } from '@nestjs/common';

import { Drain, Loop } from '../work/index.js';
import type { CredentialStrategy } from './credential-strategy.js';

const EVERY_MS = 15_000;

/** Remembers which credentials were used and has it written down now and then, in one statement for each strategy. */
@Injectable()
export class CredentialUseRecorder {
  private readonly used = new Map<CredentialStrategy, Map<string, string>>();

  note(strategy: CredentialStrategy, credentialId: string, address: string): void {
    if (!strategy.recordUse) return;
    const addresses = this.used.get(strategy) ?? new Map<string, string>();
    addresses.set(credentialId, address);
    this.used.set(strategy, addresses);
  }

  @Loop({ every: EVERY_MS, atStart: false, stage: 'holding' })
  @Drain('holding')
  async write(): Promise<void> {
    for (const [strategy, addresses] of this.used) {
      this.used.delete(strategy);
      // The time of the last use is a courtesy: if the database is away, this round is left out.
      await strategy.recordUse!(addresses).catch(() => undefined);
    }
  }
}
