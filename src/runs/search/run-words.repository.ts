import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository } from 'typeorm';

import type { Labels } from '../../scripts/index.js';
import { Run } from '../run.entity.js';
import { RunWords } from './run-words.entity.js';
import { UnreadRuns } from './unread-runs.entity.js';

/** Inputs and outputs that take more, as stored, are not looked at. */
const MOST_STORED = 16_384;
const MOST_CHARACTERS = 8_192;

/** What of a run is read. */
export interface RunTexts extends Pick<Run, 'id' | 'error'> {
  labels: Labels;
  /** As JSON text; null: it is too large, or there is none. */
  inputs: string | null;
  output: string | null;
}

@Injectable()
export class RunWordsRepository {
  constructor(
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    @InjectRepository(RunWords) private readonly words: Repository<RunWords>,
    @InjectRepository(UnreadRuns) private readonly unread: Repository<UnreadRuns>,
  ) {}

  async note(runIds: string[]): Promise<void> {
    await this.unread
      .createQueryBuilder()
      .insert()
      .values({ id: randomUUID(), runIds })
      .updateEntity(false)
      .execute();
  }

  /** The oldest. */
  next(most: number): Promise<UnreadRuns[]> {
    return this.unread.find({ order: { notedAt: 'ASC' }, take: most });
  }

  async done(unread: readonly UnreadRuns[]): Promise<void> {
    await this.unread.delete({ id: Any(unread.map(({ id }) => id)) });
  }

  /** Those of the runs that there are, which stay until the transaction ends. */
  textsOf(ids: readonly string[]): Promise<RunTexts[]> {
    const small = (column: string): string =>
      `CASE WHEN pg_column_size(${column}) <= ${MOST_STORED} AND length(${column}::text) <= ${MOST_CHARACTERS} THEN ${column}::text END`;
    return this.runs
      .createQueryBuilder('r')
      .select('r.id', 'id')
      .addSelect('r.error', 'error')
      .addSelect('r.labels', 'labels')
      .addSelect(small('r.inputs'), 'inputs')
      .addSelect(small('r.output'), 'output')
      .where({ id: Any([...ids]) })
      .setLock('for_key_share')
      .getRawMany<RunTexts>();
  }

  /** A statement for each, the same for all. */
  async write(runId: string, words: readonly string[]): Promise<void> {
    await this.words
      .createQueryBuilder()
      .insert()
      .values({ runId, words: () => 'array_to_tsvector(:words::text[])' })
      .setParameters({ words })
      .orUpdate(['words'], ['run_id'])
      .updateEntity(false)
      .execute();
  }
}
