import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Database } from '../database/database.js';
import type { Caller } from './caller.js';

const TABLES: Partial<Record<Caller['kind'], string>> = {
  personal_token: 'personal_tokens',
  api_key: 'api_keys',
};
const EVERY_MS = 15_000;

/** Remembers which tokens and keys were used and writes it down now and then, in one statement each. */
@Injectable()
export class CredentialUse implements OnModuleDestroy {
  private readonly used = new Map<string, Set<string>>();

  constructor(private readonly database: Database) {}

  note(caller: Caller): void {
    const table = TABLES[caller.kind];
    if (!table) return;
    const ids = this.used.get(table) ?? new Set();
    ids.add(caller.credentialId);
    this.used.set(table, ids);
  }

  @Interval(EVERY_MS)
  async write(): Promise<void> {
    for (const [table, ids] of this.used) {
      this.used.delete(table);
      // When it was last used is a courtesy: if the database is away, this round is left out.
      await this.database
        .query(`UPDATE ${table} SET last_used_at = now() WHERE id = ANY($1)`, [[...ids]])
        .catch(() => undefined);
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.write();
  }
}
