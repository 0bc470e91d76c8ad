import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { Drain } from '../work/drain.decorator.js';
import { Loop } from '../work/loop.decorator.js';
import type { Caller } from './caller.js';

/** The table of each kind whose use is written down, and what besides the time is. */
const WRITTEN: Partial<Record<Caller['kind'], { table: string; more: string }>> = {
  personal_token: { table: 'personal_tokens', more: '' },
  api_key: { table: 'api_keys', more: '' },
  session: { table: 'sessions', more: ', address = u.address' },
};
const EVERY_MS = 15_000;

/** Remembers which credentials were used and writes it down now and then, in one statement for each kind. */
@Injectable()
export class CredentialUse {
  private readonly used = new Map<Caller['kind'], Map<string, string>>();

  constructor(private readonly database: Database) {}

  note({ kind, credentialId }: Caller, address: string): void {
    if (!WRITTEN[kind]) return;
    const addresses = this.used.get(kind) ?? new Map<string, string>();
    addresses.set(credentialId, address);
    this.used.set(kind, addresses);
  }

  @Loop({ every: EVERY_MS, atStart: false, stage: 'holding' })
  @Drain('holding')
  async write(): Promise<void> {
    for (const [kind, addresses] of this.used) {
      this.used.delete(kind);
      // When it was last used is a courtesy: if the database is away, this round is left out.
      const { table, more } = WRITTEN[kind]!;
      await this.database
        .query(
          `UPDATE ${table} t SET last_used_at = now()${more}
           FROM unnest($1::text[], $2::text[]) AS u(id, address) WHERE t.id = u.id`,
          [[...addresses.keys()], [...addresses.values()]],
        )
        .catch(() => undefined);
    }
  }
}
