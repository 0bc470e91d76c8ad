import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import { randomText } from '../crypto/tokens.js';
import { Database } from '../database/database.js';
import { Drain } from './drain.decorator.js';
import { type Expired, Expires } from './expires.decorator.js';
import { Loop } from './loop.decorator.js';

const HEARTBEAT_MS = 10_000;
const DAY_MS = 86_400_000;

/** This process, as the others see it: a row that is renewed while it lives. */
@Injectable()
export class Instance implements OnModuleInit {
  readonly id = `ins_${randomText(20)}`;

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.beat();
  }

  /** Those of these ids whose process was seen within the last minute. */
  async aliveAmong(ids: string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM instances WHERE id = ANY($1) AND seen_at > now() - interval '1 minute'`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Says what this worker builds for: system, Python and Node. */
  async announceRuntime(runtime: string): Promise<void> {
    await this.database.execute('UPDATE instances SET runtime = $2 WHERE id = $1', [this.id, runtime]);
  }

  /** Makes this process known to the others, or says that it still lives. */
  @Loop({ every: HEARTBEAT_MS, atStart: false, stage: 'holding' })
  async beat(): Promise<void> {
    await this.database.query(
      `INSERT INTO instances (id, role) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
      [this.id, this.settings.role],
    );
  }

  /**
   * Once all work is done with, and while there still is a connection. A request that is still being answered commits
   * nothing under an `Idempotency-Key` that another process took over.
   */
  @Drain('holding')
  async leave(): Promise<void> {
    await this.database.query('DELETE FROM instances WHERE id = $1', [this.id]).catch(() => undefined);
  }

  /** Processes that ended without a word. */
  @Expires({ after: DAY_MS })
  async forget({ age, most }: Expired): Promise<number> {
    const { count } = await this.database.execute(
      `DELETE FROM instances WHERE id IN (
         SELECT id FROM instances WHERE seen_at < now() - $1::float8 * interval '1 millisecond'
         LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [age, most],
    );
    return count;
  }
}
