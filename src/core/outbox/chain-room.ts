import type { ChainUse } from './event-chains.repository.js';

const MiB = 1024 * 1024;

/** So much comes of one first event, through however many triggers and scripts. */
const MOST_RUNS = 200;
const MOST_BYTES = 16 * MiB;

/** What a chain may still have, as the number of hops limits its length. */
export class ChainRoom {
  readonly used: ChainUse = { runs: 0, bytes: 0 };

  /** @param had what it has had; null: the event that began it is gone */
  constructor(private readonly had: ChainUse | null) {}

  /** Takes room for a run with inputs of so many bytes, or says why there is none. */
  take(bytes: number): string | null {
    const had = this.had ?? { runs: MOST_RUNS, bytes: MOST_BYTES };
    if (had.runs + this.used.runs >= MOST_RUNS) {
      return `at most ${MOST_RUNS} runs from one first event are started, and this would have been one more`;
    }
    if (had.bytes + this.used.bytes + bytes > MOST_BYTES) {
      return `at most ${MOST_BYTES / MiB} MiB of inputs from one first event are given to runs, and this would have been more`;
    }
    this.used.runs += 1;
    this.used.bytes += bytes;
    return null;
  }
}
