import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import { Settings } from '../config/index.js';
import { Database } from '../database/index.js';
import { type Declaration, DeclarationScanner } from './declaration-scanner.js';
import { type Expired, type ExpiryOptions, expiryOptionsOf } from './expires.decorator.js';
import { Loop, type NextPass, type Pass } from './loop.decorator.js';

const DAY_MS = 86_400_000;
const SWEEP_EVERY_MS = 60_000;
const DEFAULT_BATCH = 500;
/** Between two statements, for others to have the database to themselves. */
const PAUSE_MS = 20;
/** So that a backlog of one kind does not keep the others waiting. */
const MOST_BATCHES = 200;

/** Deletes what `@Expires` declares to be too old, one kind after the other. */
@Injectable()
export class ExpirySweeper {
  private readonly logger = new Logger('Expiry');
  private kinds: Declaration<ExpiryOptions>[] | null = null;

  constructor(
    private readonly declarations: DeclarationScanner,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  @Loop({ every: SWEEP_EVERY_MS, atStart: false })
  async sweep({ stopping }: Pick<Pass, 'stopping'>): Promise<NextPass> {
    this.kinds ??= this.declarations.find(expiryOptionsOf);
    let more = false;
    for (const kind of this.kinds) {
      try {
        more = (await this.sweepKind(kind, stopping)) || more;
      } catch (error) {
        this.logger.warn(`${kind.name} did not delete all; the next round goes on: ${String(error)}`);
      }
    }
    return more;
  }

  /** Whether there may be more of it. */
  private async sweepKind(kind: Declaration<ExpiryOptions>, stopping: AbortSignal): Promise<boolean> {
    const { batch = DEFAULT_BATCH } = kind.options;
    for (let count = 0; count < MOST_BATCHES && !stopping.aborted; count++) {
      if ((await this.deleteBatch(kind, batch)) < batch) return false;
      await pause(PAUSE_MS);
    }
    return !stopping.aborted;
  }

  /** By one process at a time, which the lock says until the transaction ends. */
  private deleteBatch({ name, options, call }: Declaration<ExpiryOptions>, most: number): Promise<number> {
    const age = this.ageOf(options);
    if (age === null) return Promise.resolve(0);
    const expired: Expired = { age, before: new Date(Date.now() - age), most };
    return this.database.transaction(async () => {
      const isOurs = await this.database.tryLock(name);
      return isOurs ? ((await call(expired)) as number) : 0;
    });
  }

  /** null: it is kept for ever. */
  private ageOf({ after = 0 }: ExpiryOptions): number | null {
    if (typeof after === 'number') return after;
    const days = this.settings.retention[after];
    return days === null ? null : days * DAY_MS;
  }
}
