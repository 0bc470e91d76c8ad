import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Settings } from '../config/settings.js';
import { randomText } from '../crypto/tokens.js';
import { Database } from '../database/database.js';

const HEARTBEAT_MS = 10_000;

/** This process, as the others see it: a row that is renewed while it lives. */
@Injectable()
export class Instance implements OnModuleInit, BeforeApplicationShutdown {
  readonly id = `ins_${randomText(20)}`;
  private readonly logger = new Logger(Instance.name);
  private ending = false;

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.beat();
    await this.database.query(`DELETE FROM instances WHERE seen_at < now() - interval '1 day'`);
  }

  @Interval(HEARTBEAT_MS)
  async heartbeat(): Promise<void> {
    if (this.ending) return;
    await this.beat().catch((error: unknown) => this.logger.warn(`No heartbeat: ${String(error)}`));
  }

  /** Those of these ids whose process was seen within the last minute. */
  async aliveAmong(ids: string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM instances WHERE id = ANY($1) AND seen_at > now() - interval '1 minute'`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Once runs are done with, and while there still is a connection. A request that is still being answered commits
   * nothing under an `Idempotency-Key` that another process took over.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.ending = true;
    await this.database.query('DELETE FROM instances WHERE id = $1', [this.id]).catch(() => undefined);
  }

  /** Makes this process known to the others, or says that it still lives. */
  async beat(): Promise<void> {
    await this.database.query(
      `INSERT INTO instances (id, role) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
      [this.id, this.settings.role],
    );
  }
}
