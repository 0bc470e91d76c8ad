import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { stringifyJson, type RawJson } from '../../core/json/index.js';
import { type KeyPart, keyParts, type Labels } from '../../scripts/index.js';
import { labelsIn } from '../labels/labels.sql.js';
import { Run } from '../run.entity.js';
import { runsOnOf } from '../runs-on.sql.js';
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

/** For its index. */
const WAITS = `r.debounceKey IS NOT NULL AND r.phase = 'delayed'`;

export type StartedRow = Pick<
  Run,
  'id' | 'workspaceId' | 'environmentId' | 'scriptId' | (typeof TAKEN_OVER)[number]
> & {
  inputs: RawJson;
  /** What its `concurrency` key is made of; null: it shares places with no run. */
  keyParts: KeyPart[] | null;
  labels: Labels;
  /** What further labels are made of; null: nothing. */
  labelParts: Record<string, KeyPart[]> | null;
};

/** A key, and the run that waits for further starts of it. */
export interface DebounceKey {
  key: string;
  /** By the clock that wakes the run. */
  now: Date;
  /** null: there is none. */
  run: DebouncedRun | null;
}

/** What stays of a run whose place another start takes, and how it is told of. */
export type DebouncedRun = Pick<Run, 'id' | 'startedAt'> & {
  until: Date;
  starts: number;
  hasFiles: boolean;
  scriptName: string;
  environment: string;
};

/** Runs that wait for further starts. Who asks for them has locked their keys. */
@Injectable()
export class DebouncedRunsRepository {
  constructor(@InjectRepository(Run) private readonly runs: Repository<Run>) {}

  /** What inputs make of keys, in the order given, behind what these are of. */
  async keysOf(starts: readonly { scope: string; key: string | null; inputs: RawJson }[]): Promise<string[]> {
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

  /** What time it is, and the run that waits, for each of the keys. */
  async look(workspaceId: string, keys: readonly string[]): Promise<DebounceKey[]> {
    const rows = await this.runs.manager
      .createQueryBuilder()
      .select('k.key', 'key')
      .addSelect('clock_timestamp()', 'now')
      .addSelect('r.id', 'id')
      .addSelect('r.startedAt', 'startedAt')
      .addSelect('r.debounceUntil', 'until')
      .addSelect('r.debounceStarts', 'starts')
      .addSelect('EXISTS (SELECT FROM files f WHERE f.run_id = r.id)', 'hasFiles')
      .addSelect('s.name', 'scriptName')
      .addSelect('e.name', 'environment')
      .from('(SELECT unnest(:keys::text[]) AS key)', 'k')
      .leftJoin(Run, 'r', `r.workspaceId = :workspaceId AND r.debounceKey = k.key AND ${WAITS}`)
      .leftJoin('Script', 's', 's.id = r.scriptId')
      .leftJoin('Environment', 'e', 'e.id = r.environmentId')
      .setParameters({ keys, workspaceId })
      .getRawMany<Omit<DebounceKey, 'run'> & (DebouncedRun | { id: null })>();
    return rows.map(({ key, now, ...run }) => ({ key, now, run: run.id === null ? null : run }));
  }

  /**
   * Has the newest start take the place of a run that waits.
   *
   * @param starts how many there were since
   * @returns its labels from now on; null: it waits no more
   */
  async move(id: string, newest: StartedRow, starts: number, startAt: Date): Promise<Labels | null> {
    const key = keyOf({
      parts: ':parts',
      script: 'script_id',
      environment: 'environment_id',
      inputs: ':inputs',
    });
    const { raw } = await this.runs
      .createQueryBuilder()
      .update()
      .set({
        ...Object.fromEntries(TAKEN_OVER.map((property) => [property, newest[property]])),
        startAt,
        inputs: () => ':inputs::json',
        concurrencyKey: () => key,
        runsOn: () => runsOnOf(':version', 'environment_id'),
        labels: () => labelsIn({ parts: ':labelParts', given: ':labels', inputs: ':inputs' }),
        debounceStarts: () => 'debounce_starts + :starts',
      })
      .where({ id, phase: 'delayed' })
      .setParameters({
        starts,
        version: newest.versionId,
        inputs: newest.inputs.text,
        parts: newest.keyParts && JSON.stringify(newest.keyParts),
        labels: JSON.stringify(newest.labels),
        labelParts: newest.labelParts && JSON.stringify(newest.labelParts),
      })
      .returning(`labels, pg_notify('gatehouse', 'run:' || id)`)
      .execute();
    return (raw as Pick<Run, 'labels'>[])[0]?.labels ?? null;
  }
}
