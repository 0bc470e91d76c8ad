import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, In, type Repository } from 'typeorm';

import type { Labels } from '../../scripts/index.js';
import { Run } from '../run.entity.js';
import { RunWords } from './run-words.entity.js';
import { UnreadRun } from './unread-run.entity.js';

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
    @InjectRepository(UnreadRun) private readonly unread: Repository<UnreadRun>,
  ) {}

  async note(unread: readonly UnreadRun[]): Promise<void> {
    await this.unread
      .createQueryBuilder()
      .insert()
      .values([...unread])
      .orIgnore()
      .updateEntity(false)
      .execute();
  }

  /** The oldest. */
  next(most: number): Promise<UnreadRun[]> {
    return this.unread.find({ order: { eventId: 'ASC' }, take: most });
  }

  async done(unread: readonly UnreadRun[]): Promise<void> {
    await this.unread.delete({ eventId: In(unread.map(({ eventId }) => eventId)) });
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

  async write(all: readonly { runId: string; words: readonly string[] }[]): Promise<void> {
    if (all.length === 0) return;
    await this.words
      .createQueryBuilder()
      .insert()
      .values(
        all.map(({ runId }, index) => ({ runId, words: () => `array_to_tsvector(:words${index}::text[])` })),
      )
      .setParameters(Object.fromEntries(all.map(({ words }, index) => [`words${index}`, [...words]])))
      .orUpdate(['words'], ['run_id'])
      .updateEntity(false)
      .execute();
  }
}
