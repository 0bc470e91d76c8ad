import { RunFailure } from './run-failure.js';

const MiB = 1024 * 1024;

interface Loan {
  bytes: number;
  isGiven: boolean;
  /** When it is given, or nobody waits for it any more. */
  settled: PromiseWithResolvers<void>;
}

/**
 * The memory of a worker. Each of its places has the usual. What runs ask for beyond that is lent out of the rest, first come, first
 * served; one that asks for more than the rest waits until it is the only one.
 */
export class WorkerMemory {
  private readonly rest: number;
  private lent = 0;
  private readonly waiting: Loan[] = [];

  /** In bytes. @param usual what each place has */
  constructor(
    private readonly total: number,
    private readonly usual: number,
    places: number,
  ) {
    this.rest = total - places * usual;
  }

  /**
   * Resolves once a run may have as much, or `ended` is aborted.
   *
   * @returns to be called when its box is gone
   * @throws RunFailure where the worker has not as much
   */
  async borrow(bytes: number, ended: AbortSignal): Promise<() => void> {
    if (bytes <= this.usual) return () => undefined;
    if (bytes > this.total) {
      throw new RunFailure(
        `the version asks for ${bytes / MiB} MiB of memory, and this worker has ${Math.floor(this.total / MiB)}`,
      );
    }
    const loan = { bytes: bytes - this.usual, isGiven: false, settled: Promise.withResolvers<void>() };
    this.waiting.push(loan);
    this.giveOut();
    const giveUp = (): void => loan.settled.resolve();
    ended.addEventListener('abort', giveUp, { once: true });
    if (ended.aborted) giveUp();
    await loan.settled.promise;
    ended.removeEventListener('abort', giveUp);
    return () => this.takeBack(loan);
  }

  private takeBack(loan: Loan): void {
    if (loan.isGiven) this.lent -= loan.bytes;
    else this.waiting.splice(this.waiting.indexOf(loan), 1);
    this.giveOut();
  }

  private giveOut(): void {
    for (let [first] = this.waiting; first && this.has(first); [first] = this.waiting) {
      this.waiting.shift();
      this.lent += first.bytes;
      first.isGiven = true;
      first.settled.resolve();
    }
  }

  private has({ bytes }: Loan): boolean {
    return this.lent === 0 || this.lent + bytes <= this.rest;
  }
}
