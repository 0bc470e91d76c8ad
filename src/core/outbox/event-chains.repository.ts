import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';

/** What a chain of triggers has had: its runs, and the bytes of their inputs. */
export interface ChainUse {
  runs: number;
  bytes: number;
}

/** Counts what each chain of triggers has had at the event that began it, for all processes together. */
@Injectable()
export class EventChainsRepository {
  constructor(private readonly database: Database) {}

  /** Nobody else counts for the chain until the transaction ends. null: its event is gone. */
  lock(eventId: string): Promise<ChainUse | null> {
    return this.database.one<ChainUse>(LOCK, [eventId]);
  }

  async add(eventId: string, { runs, bytes }: ChainUse): Promise<void> {
    await this.database.execute(ADD, [eventId, runs, bytes]);
  }
}

const LOCK = `
  SELECT chain_runs AS runs, chain_bytes AS bytes FROM events WHERE id = $1 FOR NO KEY UPDATE`;

const ADD = `
  UPDATE events SET chain_runs = chain_runs + $2::int, chain_bytes = chain_bytes + $3::bigint WHERE id = $1`;
