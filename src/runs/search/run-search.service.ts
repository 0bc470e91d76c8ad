import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database, isOutOfTime } from '../../core/database/index.js';
import { InvalidRequest, RateLimited } from '../../core/errors/index.js';
import { FairSemaphore, SemaphoreBusy } from '../../core/semaphore/index.js';
import { WorkspaceOwners } from '../../core/work/index.js';
import type { RunFilters } from '../run-filters.js';
import { RunWords } from './run-words.entity.js';

const LONGEST_MS = 5_000;
/** Each takes a connection for as long as it looks. */
const AT_ONCE = 3;
/** How many of an owner's wait for one of these, and how long. */
const MOST_WAITING = 20;
const PATIENCE_MS = 15_000;
const RETRY_SECONDS = 5;

const BUSY = 'Too many look for runs just now. Ask again a little later.';

/** What narrows so much or so little that a plan for any value would be a bad one. */
const VARIED = ['q', 'label', 'minSeconds'] as const satisfies readonly (keyof RunFilters)[];

/** Looks for runs in a bounded time, by a plan for what is looked for. */
@Injectable()
export class RunSearchService {
  private readonly permits = new FairSemaphore({ permits: AT_ONCE });

  constructor(
    @InjectRepository(RunWords) private readonly words: Repository<RunWords>,
    private readonly database: Database,
    private readonly owners: WorkspaceOwners,
  ) {}

  /** @throws InvalidRequest where it takes too long; RateLimited where too many wait */
  async find<T>(workspaceId: string, filters: RunFilters, look: () => Promise<T>): Promise<T> {
    const varied = VARIED.find((name) => filters[name] !== undefined);
    const isVaried = varied !== undefined || filters.status?.includes(',');
    if (!isVaried) return look();
    try {
      const wait = { mostOfOwner: MOST_WAITING, patienceMs: PATIENCE_MS };
      const owner = await this.owners.of(workspaceId);
      return await this.permits.run(owner, () => this.planned(look), wait);
    } catch (error) {
      if (error instanceof SemaphoreBusy) throw new RateLimited(RETRY_SECONDS, BUSY);
      if (!isOutOfTime(error)) throw error;
      const message = 'takes too long to look for: narrow it by a script, further words, or since and until';
      throw InvalidRequest.at(varied ?? 'status', message);
    }
  }

  /** Statements are planned once for all values, unless they are told otherwise. */
  private planned<T>(look: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await this.words.manager
        .createQueryBuilder()
        .select(`set_config('plan_cache_mode', 'force_custom_plan', true)`, 'plan')
        .addSelect(`set_config('statement_timeout', '${LONGEST_MS}', true)`, 'time')
        .from('(SELECT)', 'once')
        .getRawOne();
      return look();
    });
  }
}
