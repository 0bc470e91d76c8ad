import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { stringifyJson, type RawJson } from '../../core/json/index.js';
import { type KeyPart, keyParts } from '../../scripts/index.js';
import { Run } from '../run.entity.js';
import { keyOf, keyTextIn } from '../turns/concurrency-key.sql.js';

/** All that counts of the newest start of a run. */
const TAKEN_OVER = [
  'scriptSlug',
  'versionId',
  'version',
  'startedByUserId',
  'credentialId',
  'credentialType',
  'credentialName',
  'byAgent',
  'interface',
  'scheduleId',
  'triggerId',
  'hookId',
  'causeType',
  'causeId',
  'retry',
  'expiresAt',
  'rank',
  'queue',
  'hops',
  'apiHops',
  'chainEventId',
  'traceparent',
] as const;

export type StartedRow = Pick<
  Run,
  'id' | 'workspaceId' | 'environmentId' | 'scriptId' | (typeof TAKEN_OVER)[number]
> & {
  inputs: RawJson;
  /** What its `concurrency` key is made of; null: it shares places with no run. */
  keyParts: KeyPart[] | null;
};

/** A run that waits for further starts of a key; `id: null`: there is none. */
export interface DebouncedRun {
  key: string;
  id: string | null;
  until: Date | null;
  /** By the clock that wakes it. */
  now: Date;
}

/** What is told of a run whose place was taken. */
export type MovedRun = Pick<
  Run,
  | 'workspaceId'
  | 'environmentId'
  | 'version'
  | 'status'
  | 'interface'
  | 'startedByUserId'
  | 'credentialType'
  | 'credentialName'
  | 'startedAt'
> & { startAt: Date; debounceStarts: number; scriptId: string; slug: string; name: string; environment: string };

/** Runs that wait for further starts. Who asks for them has locked their keys. */
@Injectable()
export class DebouncedRunsRepository {
  constructor(@InjectRepository(Run) private readonly runs: Repository<Run>) {}

  /** What inputs make of keys, in the order given, behind what these are of. */
  async keysOf(
    starts: readonly { scope: string; key: string | null; inputs: RawJson }[],
  ): Promise<string[]> {
    const given = starts.map(({ scope, key, inputs }) => ({ scope, parts: keyParts(key), inputs }));
    const text = keyTextIn({ parts: `(s.given -> 'parts')`, inputs: `(s.given -> 'inputs')` });
    const rows = await this.runs.manager
      .createQueryBuilder()
      .select(`(s.given ->> 'scope') || ${text}`, 'key')
      .from('(SELECT given, n FROM json_array_elements(:given::json) WITH ORDINALITY AS e (given, n))', 's')
      .setParameters({ given: stringifyJson(given) })
      .orderBy('s.n')
      .getRawMany<{ key: string }>();
    return rows.map(({ key }) => key);
  }

  /** The run that waits, and what time it is, for each of the keys. */
  waiting(workspaceId: string, keys: readonly string[]): Promise<DebouncedRun[]> {
    return this.runs.manager
      .createQueryBuilder()
      .select('k.key', 'key')
      .addSelect('r.id', 'id')
      .addSelect('r.debounceUntil', 'until')
      .addSelect('clock_timestamp()', 'now')
      .from('(SELECT unnest(:keys::text[]) AS key)', 'k')
      .leftJoin(
        Run,
        'r',
        `r.workspaceId = :workspaceId AND r.debounceKey = k.key AND r.debounceKey IS NOT NULL AND r.phase = 'delayed'`,
      )
      .setParameters({ keys, workspaceId })
      .getRawMany<DebouncedRun>();
  }

  /**
   * Has the newest start take the place of a run that waits.
   *
   * @param starts how many there were since
   * @returns null: it waits no more
   */
  async move(id: string, newest: StartedRow, starts: number, startAt: Date): Promise<MovedRun | null> {
    const key = keyOf({
      parts: ':parts',
      script: 'script_id',
      environment: 'environment_id',
      inputs: ':inputs',
    });
    const { affected } = await this.runs
      .createQueryBuilder()
      .update()
      .set({
        ...Object.fromEntries(TAKEN_OVER.map((property) => [property, newest[property]])),
        startAt,
        inputs: () => ':inputs::json',
        concurrencyKey: () => key,
        debounceStarts: () => 'debounce_starts + :starts',
      })
      .where({ id, phase: 'delayed' })
      .setParameters({
        starts,
        inputs: newest.inputs.text,
        parts: newest.keyParts && JSON.stringify(newest.keyParts),
      })
      .returning(`pg_notify('gatehouse', 'run:' || id)`)
      .execute();
    return affected === 0 ? null : this.moved(id);
  }

  private async moved(id: string): Promise<MovedRun> {
    const { entities, raw } = await this.runs
      .createQueryBuilder('r')
      .innerJoin('Script', 's', 's.id = r.scriptId')
      .innerJoin('Environment', 'e', 'e.id = r.environmentId')
      .select(MOVED.map((property) => `r.${property}`))
      .addSelect('s.slug', 'slug')
      .addSelect('s.name', 'name')
      .addSelect('e.name', 'environment')
      .where({ id })
      .getRawAndEntities<Pick<MovedRun, 'slug' | 'name' | 'environment'>>();
    const { startAt, debounceStarts, ...run } = entities[0]!;
    const { slug, name, environment } = raw[0]!;
    return { ...run, startAt: startAt!, debounceStarts: debounceStarts!, slug, name, environment };
  }
}

const MOVED = [
  'id',
  'workspaceId',
  'environmentId',
  'scriptId',
  'version',
  'status',
  'interface',
  'startedByUserId',
  'credentialType',
  'credentialName',
  'startedAt',
  'startAt',
  'debounceStarts',
] as const;
