import type { WorkspaceCaller } from '../../access/index.js';
import type { StreamedEvent } from './streamed-events.sql.js';

/** What waits for a client that reads slowly. */
const MOST_WAITING = 1_000;
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

/** What a follower gets: an event, or that some are missing, so that everything has to be read again. */
export type FollowedItem = StreamedEvent | 'reset';

/** One open stream: what was sorted out for it and not yet sent. */
export class EventFollower {
  private waiting: FollowedItem[] = [];
  private bytes = 0;
  private overflowed = false;
  private wake: (() => void) | null = null;

  /**
   * @param cutOff called once where its client is too slow: nothing more is kept for it
   * @param leave tells the feed that it is over
   */
  constructor(
    readonly caller: WorkspaceCaller,
    private readonly cutOff: () => void,
    private readonly leave: (follower: EventFollower) => void,
  ) {}

  push(event: StreamedEvent): void {
    if (this.overflowed) return;
    this.bytes += Buffer.byteLength(event.data);
    if (this.waiting.length >= MOST_WAITING || this.bytes > MOST_WAITING_BYTES) {
      this.overflowed = true;
      this.reset();
      this.cutOff();
    } else {
      this.waiting.push(event);
      this.wake?.();
    }
  }

  /** Some events cannot be had. What waits is of no use any more. */
  reset(): void {
    this.waiting = ['reset'];
    this.bytes = 0;
    this.wake?.();
  }

  /** Whether its client was too slow: the stream ends with the reset that is taken next. */
  get isOver(): boolean {
    return this.overflowed;
  }

  /** All that waits; empty where nothing came for that long, or the signal was aborted. */
  async take(timeoutMs: number, ended: AbortSignal): Promise<FollowedItem[]> {
    if (this.waiting.length === 0 && !ended.aborted) {
      await new Promise<void>((done) => {
        const wake = (): void => {
          clearTimeout(timer);
          ended.removeEventListener('abort', wake);
          done();
        };
        const timer = setTimeout(wake, timeoutMs);
        ended.addEventListener('abort', wake);
        this.wake = wake;
      });
      this.wake = null;
    }
    const taken = this.waiting;
    this.waiting = [];
    this.bytes = 0;
    return taken;
  }

  close(): void {
    this.leave(this);
  }
}
