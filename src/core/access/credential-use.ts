import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Database } from '../database/database.js';
import type { Caller } from './caller.js';

/** What is written of those that were used. $1: their ids; $2: from where, for each. */
const UPDATES: Partial<Record<Caller['kind'], string>> = {
  personal_token:
    'UPDATE personal_tokens SET last_used_at = now() WHERE id = ANY($1) AND $2::text[] IS NOT NULL',
  api_key: 'UPDATE api_keys SET last_used_at = now() WHERE id = ANY($1) AND $2::text[] IS NOT NULL',
  session: `UPDATE sessions s SET last_used_at = now(), address = u.address
    FROM unnest($1::text[], $2::text[]) AS u(id, address) WHERE s.id = u.id`,
};
const EVERY_MS = 15_000;

/** Remembers which credentials were used and writes it down now and then, in one statement for each kind. */
@Injectable()
export class CredentialUse implements OnModuleDestroy {
  private readonly used = new Map<Caller['kind'], Map<string, string>>();

  constructor(private readonly database: Database) {}

  note({ kind, credentialId }: Caller, address: string): void {
    if (!UPDATES[kind]) return;
    const addresses = this.used.get(kind) ?? new Map<string, string>();
    addresses.set(credentialId, address);
    this.used.set(kind, addresses);
  }

  @Interval(EVERY_MS)
  async write(): Promise<void> {
    for (const [kind, addresses] of this.used) {
      this.used.delete(kind);
      // When it was last used is a courtesy: if the database is away, this round is left out.
      await this.database
        .query(UPDATES[kind]!, [[...addresses.keys()], [...addresses.values()]])
        .catch(() => undefined);
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.write();
  }
}
