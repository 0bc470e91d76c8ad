import { setImmediate as turn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { Loop } from '../../core/work/index.js';
import { RUN_WORDS } from './run-words.topics.js';
import { type RunTexts, RunWordsRepository } from './run-words.repository.js';
import { plainTextOf, wordsOf } from './search-words.js';
import type { UnreadRuns } from './unread-runs.entity.js';

const LOOK_EVERY_MS = 10_000;
/** Where many runs begin, most have ended by then, and are read once. */
const APART_MS = 2_000;
/** Notes that are taken at once, and of how many runs, unless the first has more. */
const MOST_NOTES = 100;
const MOST_RUNS = 200;
/** So many are read before the event loop has its turn. */
const SLICE = 20;

/** Keeps the words by which runs are found. One process at a time does this, so that what was read last is written last. */
@Injectable()
export class RunWordsReader {
  constructor(
    private readonly words: RunWordsRepository,
    private readonly database: Database,
  ) {}

  @Loop({ every: LOOK_EVERY_MS, wake: RUN_WORDS, apart: APART_MS })
  read(): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.database.tryLock('run words'))) return false;
      const noted = await this.words.next(MOST_NOTES);
      const { taken, runIds } = together(noted);
      if (taken.length === 0) return false;
      for (let first = 0; first < runIds.length; first += SLICE) {
        if (first > 0) await turn();
        const runs = await this.words.textsOf(runIds.slice(first, first + SLICE));
        await Promise.all(runs.map((run) => this.words.write(run.id, wordsOf(textsIn(run)))));
      }
      await this.words.done(taken);
      return taken.length < noted.length || noted.length === MOST_NOTES;
    });
  }
}

/** The first notes, and each of their runs once. */
function together(noted: readonly UnreadRuns[]): { taken: UnreadRuns[]; runIds: string[] } {
  const taken: UnreadRuns[] = [];
  const runIds = new Set<string>();
  for (const note of noted) {
    if (taken.length > 0 && runIds.size + note.runIds.length > MOST_RUNS) break;
    taken.push(note);
    for (const id of note.runIds) runIds.add(id);
  }
  return { taken, runIds: [...runIds] };
}

/** What is short comes first: there is an end to the words of a run. */
function textsIn({ id, labels, error, inputs, output }: RunTexts): string[] {
  const json = [inputs, output].flatMap((text) => (text === null ? [] : [plainTextOf(text)]));
  return [id, ...Object.entries(labels).flat(), error ?? '', ...json];
}
