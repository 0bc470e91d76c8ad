interface Use {
  last: number;
  /** How often it was asked for without a long pause. */
  times: number;
  /** Until then it is left alone, so many times in a row. */
  refusedUntil: number;
  refusals: number;
  /** How many were lost since, which had so many runs together. */
  lost: number;
  runs: number;
}

/** The machine may have been too busy. Each time in a row it is left alone for four times as long, up to the longest. */
const REFUSED_MS = 2000;
const LONGEST_REFUSED_MS = 15 * 60_000;
/** What is lost more often than in each tenth run is not worth its start. */
const RUNS_OF_ONE = 10;
const MOST_LOST = 10;
const MOST_USES = 1000;

/** Of each kind: how often it was asked for, and whether it is worth a try. */
export class TemplateUses {
  private readonly uses = new Map<string, Use>();

  /** @param enough it is wanted once it was asked for as often, each time within `unusedMs` of the one before */
  constructor(private readonly options: { enough: number; unusedMs: number }) {}

  asked(key: string): void {
    const now = Date.now();
    const none = { last: 0, times: 0, refusedUntil: 0, refusals: 0, lost: 0, runs: 0 };
    const { last, times, ...known } = this.uses.get(key) ?? none;
    // The last in the map is the last used.
    this.uses.delete(key);
    const paused = now - last >= this.options.unusedMs;
    this.uses.set(key, { last: now, times: paused ? 1 : times + 1, ...known });
    const [oldest] = this.uses.keys();
    if (this.uses.size > MOST_USES && oldest !== undefined) this.uses.delete(oldest);
  }

  isWanted(key: string): boolean {
    const use = this.uses.get(key);
    return use !== undefined && use.times >= this.options.enough && use.refusedUntil <= Date.now();
  }

  /** It could not be had, or is lost too often. */
  leaveAlone(key: string): void {
    const use = this.uses.get(key);
    if (use) use.refusedUntil = Date.now() + Math.min(LONGEST_REFUSED_MS, REFUSED_MS * 4 ** use.refusals++);
  }

  /** There is no room for it now, which is not its own fault. */
  rest(key: string): void {
    const use = this.uses.get(key);
    if (use) use.refusedUntil = Date.now() + REFUSED_MS;
  }

  /** It goes on after so many runs. */
  goesOn(key: string, runs: number): void {
    const use = this.uses.get(key);
    if (use && runs >= RUNS_OF_ONE) Object.assign(use, { lost: 0, runs: 0, refusals: 0 });
  }

  /** What its runs leave has ended it after so many of them. */
  lost(key: string, runs: number): void {
    const use = this.uses.get(key);
    if (!use) return;
    use.lost += 1;
    use.runs += runs;
    if (use.lost < MOST_LOST) return;
    if (use.runs < use.lost * RUNS_OF_ONE) this.leaveAlone(key);
    else use.refusals = 0;
    use.lost = use.runs = 0;
  }

  /** Forgets what has not been asked for in a long time. */
  look(): void {
    const now = Date.now();
    for (const [key, { last, refusedUntil }] of this.uses)
      if (now - last >= this.options.unusedMs && refusedUntil < now) this.uses.delete(key);
  }
}
