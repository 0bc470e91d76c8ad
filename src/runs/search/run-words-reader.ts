import { setImmediate as turn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { Loop } from '../../core/work/index.js';
import { type RunTexts, RunWordsRepository } from './run-words.repository.js';
import { plainTextOf, wordsOf } from './search-words.js';

/** Most runs have ended by then, and are read once. */
const EVERY_MS = 2_000;
const BATCH = 200;
/** So many are read before the event loop has its turn. */
const SLICE = 20;

/** Keeps the words by which runs are found. One process at a time does this, so that what was read last is written last. */
@Injectable()
export class RunWordsReader {
  constructor(
    private readonly words: RunWordsRepository,
    private readonly database: Database,
  ) {}

  @Loop({ every: EVERY_MS, atStart: false })
  read(): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.database.tryLock('run words'))) return false;
      const unread = await this.words.next(BATCH);
      if (unread.length === 0) return false;
      const ids = [...new Set(unread.map(({ runId }) => runId))];
      const texts = await this.words.textsOf(ids);
      const read: { runId: string; words: string[] }[] = [];
      for (const [index, run] of texts.entries()) {
        if (index % SLICE === SLICE - 1) await turn();
        read.push({ runId: run.id, words: wordsOf(textsIn(run)) });
      }
      await this.words.write(read);
      await this.words.done(unread);
      return unread.length === BATCH;
    });
  }
}

/** What is short comes first: there is an end to the words of a run. */
function textsIn({ id, labels, error, inputs, output }: RunTexts): string[] {
  const json = [inputs, output].flatMap((text) => (text === null ? [] : [plainTextOf(text)]));
  return [id, ...Object.entries(labels).flat(), error ?? '', ...json];
}
