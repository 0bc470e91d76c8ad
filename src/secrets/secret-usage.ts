import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { type SecretUsed, SecretVaultRepository } from './secret-vault.repository.js';

const EVERY_MS = 15_000;

/** Remembers which values were used and writes it down now and then, in one statement. */
@Injectable()
export class SecretUsage implements BeforeApplicationShutdown {
  private used = new Map<string, SecretUsed>();

  constructor(private readonly secrets: SecretVaultRepository) {}

  note(workspaceId: string, name: string, environmentId: string): void {
    this.used.set(`${workspaceId} ${environmentId} ${name}`, { workspaceId, environmentId, name });
  }

  @Interval(EVERY_MS)
  async write(): Promise<void> {
    const used = this.used;
    if (used.size === 0) return;
    this.used = new Map();
    await this.secrets.markUsed([...used.values()]).catch(() => {
      // The database is away: with the next round.
      this.used = new Map([...used, ...this.used]);
    });
  }

  /** Once runs are done with. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.write();
  }
}
