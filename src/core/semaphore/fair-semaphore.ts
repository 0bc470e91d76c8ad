/** Too many wait already, or it has waited for too long. */
export class SemaphoreBusy extends Error {
  constructor(
    /** Whether that is its owner's own doing, rather than everybody's. */
    readonly ofTheirOwn: boolean,
  ) {
    super('Too many wait already.');
    this.name = 'SemaphoreBusy';
  }
}

interface SemaphoreOptions<Owner> {
  /** How much may be in progress at once. */
  permits: number;
  /** How many may wait for a permit. Default: any number. */
  mostWaiting?: number;
  /** Asked of an owner who wants a permit while some are free; true: it is theirs from now on. Default: always. */
  admit?: (owner: Owner) => boolean;
}

interface WaitOptions {
  /** How many of this owner may wait. Default: any number. */
  mostOfOwner?: number | undefined;
  /** How long it may take. Default: for ever. */
  patienceMs?: number;
}

/**
 * Work of which only so much may be in progress at once. Owners who wait take turns: however much one of them has asked for,
 * another waits for one of each owner at most.
 *
 * @example
 * const semaphore = new FairSemaphore({ permits: 2 });
 * await semaphore.run(workspaceId, () => compare(password));
 */
export class FairSemaphore<Owner = string> {
  /** In the order of the owners' turns, each one's in its own. An owner with nothing waiting is not in it. */
  private readonly waiting = new Map<Owner, Set<() => void>>();
  private waitingCount = 0;
  private left: number;

  constructor(private readonly options: SemaphoreOptions<Owner>) {
    this.left = options.permits;
  }

  get free(): number {
    return this.left;
  }

  /** @throws SemaphoreBusy, or what the work throws */
  async run<T>(owner: Owner, work: () => Promise<T>, options?: WaitOptions): Promise<T> {
    await this.acquire(owner, options);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Resolves once the owner has a permit, which is to be released. @throws SemaphoreBusy */
  async acquire(owner: Owner, { mostOfOwner = Infinity, patienceMs }: WaitOptions = {}): Promise<void> {
    if (this.admits(owner)) return;
    const { mostWaiting = Infinity } = this.options;
    const own = this.waiting.get(owner) ?? new Set();
    const ownIsFull = own.size >= mostOfOwner;
    if (ownIsFull || this.waitingCount >= mostWaiting) throw new SemaphoreBusy(ownIsFull);
    this.waiting.set(owner, own);
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        this.forget(owner, begin);
        reject(new SemaphoreBusy(false));
      };
      const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs);
      own.add(begin);
      this.waitingCount += 1;
    });
  }

  /** Hands it on to the owner whose turn it is, who goes behind the others with what else it waits for. */
  release(): void {
    this.left += 1;
    for (const [owner, own] of this.waiting) {
      if (this.left === 0) return;
      if (!this.admits(owner)) continue;
      const [begin] = own;
      this.forget(owner, begin!);
      if (this.waiting.delete(owner)) this.waiting.set(owner, own);
      begin!();
    }
  }

  private admits(owner: Owner): boolean {
    const admits = this.left > 0 && (this.options.admit?.(owner) ?? true);
    if (admits) this.left -= 1;
    return admits;
  }

  private forget(owner: Owner, begin: () => void): void {
    const own = this.waiting.get(owner)!;
    own.delete(begin);
    this.waitingCount -= 1;
    if (own.size === 0) this.waiting.delete(owner);
  }
}
