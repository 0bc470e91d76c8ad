import { Injectable } from '@nestjs/common';

import { Drain, Loop } from '../core/work/index.js';
import { type SecretUsed, SecretVaultRepository } from './secret-vault.repository.js';

const EVERY_MS = 15_000;

/** Remembers which values were used and writes it down now and then, in one statement. */
@Injectable()
export class SecretUseRecorder {
  private used = new Map<string, SecretUsed>();

  constructor(private readonly secrets: SecretVaultRepository) {}

  note(workspaceId: string, name: string, environmentId: string): void {
    this.used.set(`${workspaceId} ${environmentId} ${name}`, { workspaceId, environmentId, name });
  }

  /** At the end as well, once runs are done with. */
  @Loop({ every: EVERY_MS, atStart: false, stage: 'holding' })
  @Drain('holding')
  async write(): Promise<void> {
    const used = this.used;
    if (used.size === 0) return;
    this.used = new Map();
    await this.secrets.markUsed([...used.values()]).catch(() => {
      // The database is away, so the next round writes them.
      this.used = new Map([...used, ...this.used]);
    });
  }
}
