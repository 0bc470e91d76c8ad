import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, In, IsNull, type Repository } from 'typeorm';

import { newId } from '../../core/crypto/index.js';
import { Database, NOW } from '../../core/database/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { Waker } from '../../core/work/index.js';
import type { Concurrency } from '../../scripts/index.js';
import { Run } from '../run.entity.js';
import type { EndReason } from '../run.status.js';
import { QueuePlacesRepository, type QueueName } from './queue-places.repository.js';
import { END_WORDS, RUN_TURNS } from './run-turn.rules.js';
import {
  type Due,
  EARLIER,
  EARLIER_IN_QUEUE,
  END,
  FIRST_WAITING,
  GOING,
  GOING_IN_QUEUE,
  IS_GOING,
  MAY_EXPIRE,
  MOST_AHEAD,
  type Places,
  WAITING_KEYS,
  type WaitingKey,
  WHAT_IS_DUE,
} from './run-turns.sql.js';

/** The index of what waits begins with the workspace, and a key with its script. */
const WORKSPACE_OF_KEY = `(SELECT s.workspace_id FROM scripts s WHERE s.id = split_part(:key, '/', 1))`;

/** A queue looks at so many keys of each of its scripts. */
const MOST_KEYS = 10_000;

interface FirstWaiting {
  workspaceId: string;
  concurrency: Concurrency | null;
}

interface KeyPlaces {
  workspaceId: string;
  key: string;
  limit: number;
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** What is to happen to runs that wait, by the database's clock. */
@Injectable()
export class RunTurnsRepository {
  constructor(
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    private readonly queues: QueuePlacesRepository,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly waker: Waker,
  ) {}

  async whatIsDue(): Promise<Due> {
    return (await this.database.one<Due>(WHAT_IS_DUE))!;
  }

  /** Runs that had to begin by now and have not, at most `count`. */
  expired(count: number): Promise<Pick<Run, 'id' | 'approvalRequestId'>[]> {
    // Not locked: the requests that some wait for are ended before, as whoever decides them does.
    return this.runs
      .createQueryBuilder('r')
      .select(['r.id', 'r.approvalRequestId'])
      .where(MAY_EXPIRE)
      .orderBy('r.expiresAt')
      .limit(count)
      .getMany();
  }

  /** Cancels those of the runs that still wait. `reason` is null where the error says all. */
  async end(ids: readonly string[], reason: EndReason | null, error: string): Promise<void> {
    if (ids.length === 0) return;
    const eventIds = ids.map(() => newId('event'));
    const ended = await this.database.query<Pick<Run, 'concurrencyKey'>>(
      ...END({ ids: [...ids], eventIds, reason, error }),
    );
    this.outbox.wake();
    const keys = new Set(ended.flatMap(({ concurrencyKey }) => concurrencyKey ?? []));
    if (keys.size > 0) this.waker.wake(RUN_TURNS, keys);
  }

  /** Keys of which runs wait, at most `count`, in an order, after the given one. */
  waitingKeys(after: Pick<WaitingKey, 'workspaceId' | 'key'>, count: number): Promise<WaitingKey[]> {
    return this.keys(after, count, null);
  }

  /**
   * Gives the free places of a key, or of a queue, in a transaction of its own. What waits for none of a key is cancelled, or
   * takes the place of older ones, as the version of the first that waits says.
   *
   * @returns how many workers can take now
   */
  giveTurns(turn: string): Promise<number> {
    return this.database.transaction(async () => {
      const queue = await this.queues.lock(turn);
      const first = await this.firstWaiting(turn);
      const { concurrency = null } = first ?? {};
      const own = first && concurrency && { ...concurrency, workspaceId: first.workspaceId, key: turn };
      if (own?.onLimit === 'replace') await this.replace(own);
      const given = await (queue ? this.giveFreeOf(queue) : this.giveFreeTo(turn, first));
      if (own?.onLimit === 'skip') await this.skip(own);
      return given;
    });
  }

  /** How it stands with the places that a run waits for. */
  async placesOf(id: string): Promise<Places | null> {
    const going = `SELECT count(*) FROM runs g WHERE g.concurrency_key = r.concurrency_key AND g.${IS_GOING}`;
    const row = await this.runs
      .createQueryBuilder('r')
      .innerJoin('ScriptVersion', 'v', 'v.id = r.versionId')
      .leftJoin('Queue', 'q', 'q.workspaceId = r.workspaceId AND q.name = r.queue')
      .select(`(v.concurrency ->> 'limit')::int`, 'limit')
      .addSelect(`(${going})::int`, 'going')
      .addSelect(`(${EARLIER})::int`, 'before')
      .addSelect(
        `CASE WHEN q.id IS NOT NULL THEN json_build_object('limit', q.run_limit, 'paused', q.paused,
          'going', ${GOING_IN_QUEUE}, 'before', (${EARLIER_IN_QUEUE})) END`,
        'queue',
      )
      .where({ id })
      .getRawOne<Places>();
    return row ?? null;
  }

  private keys(
    after: Pick<WaitingKey, 'workspaceId' | 'key'>,
    count: number,
    queue: string | null,
  ): Promise<WaitingKey[]> {
    return this.database.query<WaitingKey>(WAITING_KEYS, [after.workspaceId, after.key, count, queue]);
  }

  /** What the version of the run says that is the next of a key. */
  private firstWaiting(key: string): Promise<FirstWaiting | undefined> {
    return this.runs
      .createQueryBuilder('r')
      .innerJoin('ScriptVersion', 'v', 'v.id = r.versionId')
      .select('r.workspaceId', 'workspaceId')
      .addSelect('v.concurrency', 'concurrency')
      .where({ phase: 'waiting', concurrencyKey: key })
      .andWhere(`r.workspaceId = ${WORKSPACE_OF_KEY}`, { key })
      .orderBy('r.rank')
      .addOrderBy('r.id')
      .limit(1)
      .getRawOne<FirstWaiting>();
  }

  /** Gives the free places of a key that is in no queue. One without a limit has left a queue. */
  private async giveFreeTo(key: string, first: FirstWaiting | undefined): Promise<number> {
    if (!first) return 0;
    const limit = first.concurrency?.limit ?? null;
    return this.giveFree(first.workspaceId, [{ key, limit }], MOST_AHEAD, null);
  }

  /** Gives the free places of a queue, of those that have one of their key as well. */
  private async giveFreeOf(queue: QueueName): Promise<number> {
    const { workspaceId, name } = queue;
    const places = await this.queues.free(queue);
    if (places === 0) return 0;
    const keys = await this.keys({ workspaceId, key: '' }, MOST_KEYS, name);
    return this.giveFree(workspaceId, keys, places, name);
  }

  /** Gives the free places of keys to those that wait for longest, `places` at most. Returns how many there were. */
  private async giveFree(
    workspaceId: string,
    keys: readonly Pick<WaitingKey, 'key' | 'limit'>[],
    places: number,
    queue: string | null,
  ): Promise<number> {
    const given = {
      workspaceId,
      places,
      keys: keys.map(({ key }) => key),
      limits: keys.map(({ limit }) => limit),
    };
    const { affected } = await this.runs
      .createQueryBuilder()
      .update()
      .set({ phase: 'queued', queue })
      .where(`phase = 'waiting' AND id IN (${FIRST_WAITING})`, given)
      .execute();
    return affected!;
  }

  /** Ends what waits for no place of its key. What is left waits for one of its queue. */
  private async skip({ workspaceId, key, limit }: KeyPlaces): Promise<void> {
    const going = await this.runs.countBy({ concurrencyKey: key, phase: In([...GOING]) });
    const late = await this.runs.find({
      select: { id: true },
      // What was tried before has begun, and waits.
      where: { phase: 'waiting', workspaceId, concurrencyKey: key, attempt: 1 },
      order: { rank: 'ASC', id: 'ASC' },
      skip: Math.max(0, limit - going),
      take: 1000,
    });
    await this.end(idsOf(late), 'skipped', END_WORDS.skipped);
  }

  /** Ends all but the newest of a key, as many as may go on. */
  private async replace({ workspaceId, key, limit }: KeyPlaces): Promise<void> {
    const ofKey = { concurrencyKey: key };
    const outdated = await this.runs.find({
      select: { id: true },
      where: [
        { ...ofKey, workspaceId, phase: 'waiting' },
        { ...ofKey, phase: In([...GOING]) },
      ],
      order: { id: 'DESC' },
      skip: limit,
      take: 1000,
    });
    const ids = idsOf(outdated);
    await this.end(ids, 'replaced', END_WORDS.replaced);
    // Those that a worker has, also since then.
    await this.runs
      .createQueryBuilder()
      .update()
      .set({ cancelRequestedAt: NOW, endReason: 'replaced' })
      .where({ id: Any(ids), phase: In(['starting', 'executing']), cancelRequestedAt: IsNull() })
      .returning(`pg_notify('gatehouse', 'cancel:' || id)`)
      .execute();
  }
}
