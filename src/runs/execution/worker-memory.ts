import { RunFailure } from './run-failure.js';

const MiB = 1024 * 1024;

/** Memory that a run may have beyond what its place has. */
export interface Loan {
  readonly isGiven: boolean;
  /** Resolves when it is given. */
  readonly given: Promise<void>;
  /** When its box is gone, or it is not wanted any more. */
  giveBack(): void;
}

interface Wish {
  owner: string;
  bytes: number;
  since: number;
  isGiven: boolean;
  settled: PromiseWithResolvers<void>;
}

const NONE: Loan = { isGiven: true, given: Promise.resolve(), giveBack: () => undefined };

/** One that has waited for so long is passed over no more, so that small ones do not keep it from its turn for ever. */
const PATIENCE_MS = 60_000;

/**
 * The memory of a worker. Each of its places has the usual. What runs ask for beyond that is lent out of the rest: to the owner who has
 * borrowed least, the oldest first, and past what there is no room for. One that asks for more than the rest waits until it is the
 * only one.
 */
export class WorkerMemory {
  private readonly rest: number;
  private readonly lent = new Set<Wish>();
  private readonly waiting = new Set<Wish>();

  /** In bytes. @param usual what each place has */
  constructor(
    private readonly total: number,
    private readonly usual: number,
    places: number,
  ) {
    this.rest = total - places * usual;
  }

  /**
   * @param bytes all that a run may have
   * @throws RunFailure where the worker has not as much
   */
  borrow(bytes: number, owner: string): Loan {
    if (bytes <= this.usual) return NONE;
    if (bytes > this.total) {
      throw new RunFailure(
        `the version asks for ${bytes / MiB} MiB of memory, and this worker has ${Math.floor(this.total / MiB)}`,
      );
    }
    const settled = Promise.withResolvers<void>();
    const wish = { owner, bytes: bytes - this.usual, since: performance.now(), isGiven: false, settled };
    this.waiting.add(wish);
    this.giveOut();
    return {
      get isGiven() {
        return wish.isGiven;
      },
      given: settled.promise,
      giveBack: () => {
        this.lent.delete(wish);
        this.waiting.delete(wish);
        this.giveOut();
      },
    };
  }

  private giveOut(): void {
    for (let next = this.next(); next; next = this.next()) {
      this.waiting.delete(next);
      this.lent.add(next);
      next.isGiven = true;
      next.settled.resolve();
    }
  }

  private next(): Wish | null {
    const now = performance.now();
    const inTurn = [...this.waiting].sort((one, other) => this.lentTo(one.owner) - this.lentTo(other.owner));
    for (const wish of inTurn) {
      if (this.has(wish)) return wish;
      if (now - wish.since >= PATIENCE_MS) return null;
    }
    return null;
  }

  private has({ bytes }: Wish): boolean {
    return this.lent.size === 0 || bytesOf(this.lent) + bytes <= this.rest;
  }

  private lentTo(owner: string): number {
    return bytesOf([...this.lent].filter((wish) => wish.owner === owner));
  }
}

const bytesOf = (wishes: Iterable<Wish>): number => [...wishes].reduce((sum, { bytes }) => sum + bytes, 0);
