/** Why somebody is not even let into the line. */
export class LineFull extends Error {
  constructor(
    /** Whether it is their own part of the line that is full. */
    readonly ofTheirOwn: boolean,
  ) {
    super('Too many wait already.');
    this.name = 'LineFull';
  }
}

export interface FairLineOptions {
  atOnce: number;
  mostWaiting: number;
  /** Of those that wait, how many may be one's. */
  mostWaitingEach: number;
}

/** Heavy work, a few at a time. Who waits takes turns by whom it is for, so that nobody's flood holds up the others. */
export class FairLine {
  private readonly waiting = new Map<string, (() => void)[]>();
  private waitingCount = 0;
  private working = 0;

  constructor(private readonly options: FairLineOptions) {}

  /** @throws LineFull */
  async run<T>(whom: string, work: () => Promise<T>): Promise<T> {
    if (this.working < this.options.atOnce) this.working += 1;
    else await this.turn(whom);
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private turn(whom: string): Promise<void> {
    const theirs = this.waiting.get(whom) ?? [];
    const full = theirs.length >= this.options.mostWaitingEach;
    if (full || this.waitingCount >= this.options.mostWaiting) throw new LineFull(full);
    this.waiting.set(whom, theirs);
    this.waitingCount += 1;
    return new Promise((begin) => theirs.push(begin));
  }

  /** Hands the place on to the one whose turn it is, who goes to the end of the line with what else they have. */
  private next(): void {
    const first = this.waiting.entries().next().value;
    if (!first) {
      this.working -= 1;
      return;
    }
    const [whom, [begin, ...rest]] = first;
    this.waiting.delete(whom);
    if (rest.length > 0) this.waiting.set(whom, rest);
    this.waitingCount -= 1;
    begin!();
  }
}
