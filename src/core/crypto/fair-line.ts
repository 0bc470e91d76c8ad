/** Too many wait already. */
export class LineFull extends Error {
  constructor(
    /** Whether the owner's own part of the line is full, rather than all of it. */
    readonly ofTheirOwn: boolean,
  ) {
    super('Too many wait already.');
    this.name = 'LineFull';
  }
}

export interface FairLineOptions {
  atOnce: number;
  mostWaiting: number;
  /** How many of those that wait may belong to one owner. */
  mostWaitingEach: number;
}

/** Heavy work, a few pieces at a time. Owners take turns, so that nobody's flood holds up the others. */
export class FairLine {
  private readonly waiting = new Map<string, (() => void)[]>();
  private waitingCount = 0;
  private working = 0;

  constructor(private readonly options: FairLineOptions) {}

  /** @throws LineFull */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.working < this.options.atOnce) this.working += 1;
    else await this.turn(owner);
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private turn(owner: string): Promise<void> {
    const own = this.waiting.get(owner) ?? [];
    const full = own.length >= this.options.mostWaitingEach;
    if (full || this.waitingCount >= this.options.mostWaiting) throw new LineFull(full);
    this.waiting.set(owner, own);
    this.waitingCount += 1;
    return new Promise((begin) => own.push(begin));
  }

  /** Hands the place on to the owner whose turn it is, who goes to the end of the line with what else they have. */
  private next(): void {
    const first = this.waiting.entries().next().value;
    if (!first) {
      this.working -= 1;
      return;
    }
    const [owner, [begin, ...rest]] = first;
    this.waiting.delete(owner);
    if (rest.length > 0) this.waiting.set(owner, rest);
    this.waitingCount -= 1;
    begin!();
  }
}
