import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';

/** A number of runs in the chain that an event began. */
export interface ChainCount {
  eventId: string;
  runs: number;
}

/** Counts the runs of each chain of triggers at the event that began it, for all processes together. */
@Injectable()
export class EventChainsRepository {
  constructor(private readonly database: Database) {}

  /** Counts as many of these runs as each chain's limit of `most` leaves, and returns them. Locks the counts until the transaction ends. */
  reserve(wanted: readonly ChainCount[], most: number): Promise<ChainCount[]> {
    return this.database.query<ChainCount>(RESERVE, [...parametersOf(wanted), most]);
  }

  async giveBack(unused: readonly ChainCount[]): Promise<void> {
    await this.database.execute(GIVE_BACK, parametersOf(unused));
  }
}

function parametersOf(counts: readonly ChainCount[]): [string[], number[]] {
  return [counts.map(({ eventId }) => eventId), counts.map(({ runs }) => runs)];
}

/** Locked in the order of their ids, and read under the lock. */
const RESERVE = `
  WITH begun AS MATERIALIZED (
    SELECT id, chain_runs FROM events WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE events e SET chain_runs = LEAST($3::int, b.chain_runs + w.runs)
  FROM begun b JOIN unnest($1::text[], $2::int[]) AS w(event_id, runs) ON w.event_id = b.id
  WHERE e.id = b.id
  RETURNING e.id AS "eventId", e.chain_runs - b.chain_runs AS runs`;

const GIVE_BACK = `
  UPDATE events e SET chain_runs = e.chain_runs - w.runs
  FROM unnest($1::text[], $2::int[]) AS w(event_id, runs) WHERE e.id = w.event_id`;
