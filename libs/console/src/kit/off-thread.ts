/** For the worker's own code, which a slow network may hold up. */
const LOADED_WITHIN_MS = 30_000;

/** What a worker says first: its code is there. */
export const LOADED = 'loaded';

/**
 * Work in a thread of its own, one piece after another. What strangers wrote can be made to take forever, so the thread is ended
 * when a piece takes too long; the page goes on meanwhile.
 */
export class OffThread<Question, Answer> {
  private worker: Worker | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly make: () => Worker,
    private readonly limitMs: number,
  ) {}

  /** null: it took too long, or cannot be done. */
  ask(question: Question): Promise<Answer | null> {
    const answer = this.last.then(() => this.answer(question));
    this.last = answer.catch(() => null);
    return answer;
  }

  private async answer(question: Question): Promise<Answer | null> {
    if (this.worker === null) {
      this.worker = this.make();
      if ((await this.message(LOADED_WITHIN_MS)) !== LOADED) return null;
    }
    this.worker.postMessage(question);
    return (await this.message(this.limitMs)) as Answer | null;
  }

  /** The worker's next message; null, and the worker's end, where there is none in time. */
  private message(limitMs: number): Promise<unknown> {
    const worker = this.worker!;
    return new Promise((done) => {
      const giveUp = (): void => {
        clearTimeout(timer);
        worker.terminate();
        this.worker = null;
        done(null);
      };
      const timer = setTimeout(giveUp, limitMs);
      worker.onerror = (event) => {
        // It is told here; the page need not complain of it as well.
        event.preventDefault();
        giveUp();
      };
      worker.onmessage = ({ data }: MessageEvent<unknown>) => {
        clearTimeout(timer);
        done(data);
      };
    });
  }
}
