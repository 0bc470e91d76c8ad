import { OffThread } from '../off-thread.js';
import type { LineRange } from './line-ranges.js';
import type { PatternAnswer, PatternQuestion } from './pattern-question.js';

/** Lines that are looked at in one go. */
const AT_ONCE = 2_000;
/** For one go. An ordinary expression needs a few milliseconds. */
const LIMIT_MS = 2_000;

const matches = new OffThread<PatternQuestion, PatternAnswer>(
  () => new Worker(new URL('./match-worker.ts', import.meta.url), { type: 'module' }),
  LIMIT_MS,
);

/** Finds the lines that a regular expression matches, beside the thread that draws; as the log grows only what is new is looked at. */
export class PatternSearch {
  /** The positions of the lines that match. */
  readonly found: number[] = [];
  readonly ranges = new Map<number, readonly LineRange[]>();
  problem: string | null = null;
  private seen = 0;
  private isAsking = false;
  private isClosed = false;

  /** @param onChange called when more was found, or there is a problem */
  constructor(
    private readonly pattern: string,
    private readonly lines: readonly string[],
    private readonly onChange: () => void,
  ) {}

  /** Goes on with what is new. */
  update(): void {
    if (this.isAsking || this.isClosed || this.problem !== null || this.seen === this.lines.length) return;
    this.isAsking = true;
    void this.ask();
  }

  /** After it was closed, too. */
  open(): void {
    this.isClosed = false;
    this.update();
  }

  close(): void {
    this.isClosed = true;
  }

  private async ask(): Promise<void> {
    const [from, lines] = [this.seen, this.lines.slice(this.seen, this.seen + AT_ONCE)];
    const answer = await matches.ask({ pattern: this.pattern, lines });
    this.isAsking = false;
    if (this.isClosed) return;
    if (answer === null) this.problem = 'It takes too long on these lines.';
    else if ('problem' in answer) this.problem = answer.problem;
    else {
      for (const [place, ranges] of answer.found) {
        this.found.push(from + place);
        this.ranges.set(from + place, ranges);
      }
      this.seen = from + lines.length;
    }
    this.onChange();
    this.update();
  }
}
