import type { NextPass, Pass } from './loop.decorator.js';

/** A pass that fails is made again after at most this many milliseconds, or after `every` where that is longer. */
const LONGEST_WAIT_MS = 5_000;

interface LoopRunnerOptions {
  /** Milliseconds between two looks of the clock. */
  every: number;
  /** Least milliseconds between the beginnings of two passes, if the first did not say that there is more. */
  apart?: number;
  atStart: boolean;
  hasRoom: () => boolean;
}

export interface PassResult {
  durationMs: number;
  /** undefined: it succeeded. */
  error?: unknown;
  /** Milliseconds until the clock has the pass made again. */
  waitMs: number;
}

/** Makes passes one at a time; whoever wakes it meanwhile has another one follow. */
export class LoopRunner {
  private readonly stop = new AbortController();
  private open = false;
  private clock: NodeJS.Timeout | null = null;
  private early: NodeJS.Timeout | null = null;
  /** Ends the pause before a pass that would follow the last one too soon. */
  private endPause: (() => void) | null = null;
  private begunAt = -Infinity;
  private passing: Promise<void> | null = null;
  private wanted = false;
  private woken = false;
  private begun = 0;
  private ended = 0;
  private failures = 0;
  /** Ticks of the clock that are left out because the last passes failed. */
  private skipped = 0;
  private roomWaiters: (() => void)[] = [];

  constructor(
    private readonly options: LoopRunnerOptions,
    private readonly pass: (pass: Pass) => Promise<NextPass>,
    private readonly onPass: (result: PassResult) => void,
  ) {}

  /** Returns the timer that polls. */
  start(): NodeJS.Timeout {
    this.open = true;
    this.clock = setInterval(() => this.tick(), this.options.every);
    if (this.options.atStart) this.look();
    return this.clock;
  }

  /** There is work. False: there is no room for it here, or the loop has ended. */
  wake(): boolean {
    if (!this.mayPass) return false;
    this.woken = true;
    return this.look();
  }

  /** Has a pass made as the clock does. False: there is no room, or the loop has ended. */
  look(): boolean {
    for (const go of this.roomWaiters.splice(0)) go();
    if (!this.mayPass) return false;
    this.wanted = true;
    this.passing ??= this.passAll().finally(() => {
      this.passing = null;
      if (this.wanted) this.look();
    });
    return true;
  }

  /** Has a pass made, and returns when there is room for more: a full worker takes no further jobs from the queue. */
  async passAndWaitForRoom({ woken }: { woken: boolean }): Promise<void> {
    this.woken ||= woken;
    await this.passNow();
    while (this.open && !this.options.hasRoom()) {
      await new Promise<void>((go) => this.roomWaiters.push(go));
    }
  }

  /** Resolves once a pass has ended that began after this call; at once where none may be made. */
  async passNow(): Promise<void> {
    const awaited = this.begun + 1;
    this.look();
    while (this.passing && this.ended < awaited) await this.passing;
  }

  /** Begins no further pass; resolves once the one in progress has ended. */
  async end(): Promise<void> {
    this.open = false;
    if (this.clock) clearInterval(this.clock);
    if (this.early) clearTimeout(this.early);
    this.endPause?.();
    this.stop.abort();
    for (const go of this.roomWaiters.splice(0)) go();
    await this.passing;
  }

  private get mayPass(): boolean {
    return this.open && this.options.hasRoom();
  }

  private tick(): void {
    if (this.skipped > 0) this.skipped -= 1;
    else if (!this.passing) this.look();
  }

  private async passAll(): Promise<void> {
    if (this.early) clearTimeout(this.early);
    let next: NextPass = false;
    do {
      if (next !== true && this.msTooEarly > 0) await this.pause(this.msTooEarly);
      if (!this.open) return;
      const { woken } = this;
      this.wanted = false;
      this.woken = false;
      next = await this.passOnce(woken);
    } while (this.mayPass && (next === true || this.wanted));
    if (this.open && typeof next === 'number' && next < this.options.every) {
      this.early = setTimeout(() => this.look(), next);
    }
  }

  private get msTooEarly(): number {
    return this.begunAt + (this.options.apart ?? 0) - performance.now();
  }

  /** Whoever wakes the loop meanwhile is served by the pass that follows. */
  private async pause(ms: number): Promise<void> {
    await new Promise<void>((go) => {
      const timer = setTimeout(go, ms);
      this.endPause = () => {
        clearTimeout(timer);
        go();
      };
    });
    this.endPause = null;
  }

  private async passOnce(woken: boolean): Promise<NextPass> {
    const since = (this.begunAt = performance.now());
    const duration = (): number => performance.now() - since;
    this.begun += 1;
    try {
      const next = await this.pass({ woken, stopping: this.stop.signal });
      this.failures = 0;
      this.skipped = 0;
      this.onPass({ durationMs: duration(), waitMs: this.options.every });
      return next;
    } catch (error) {
      // What it was woken for is still there, and would only fail again at once.
      this.wanted = false;
      this.failures += 1;
      this.skipped = this.ticksToSkip();
      this.onPass({ durationMs: duration(), error, waitMs: (this.skipped + 1) * this.options.every });
    } finally {
      this.ended = this.begun;
    }
  }

  /** None after the first failure; then twice as long each time. */
  private ticksToSkip(): number {
    const most = Math.max(1, Math.floor(LONGEST_WAIT_MS / this.options.every));
    return Math.min(2 ** Math.min(this.failures - 1, 16), most) - 1;
  }
}
