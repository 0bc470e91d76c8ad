/** Of one run, in all: for so long its time does not pass while it waits for people. */
export const MOST_WAITING_MS = 3_600_000;

/** Holds a run's clock while any of its requests waits for a person, as long as it may. */
export class WaitingClock {
  private waiting = 0;
  private left: number;
  private since: number | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly hold: (held: boolean) => void,
    mostMs = MOST_WAITING_MS,
  ) {
    this.left = mostMs;
  }

  /** @returns how to say that the waiting is over; once */
  begin(): () => void {
    this.waiting += 1;
    if (this.waiting === 1) this.stop();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.waiting -= 1;
      if (this.waiting === 0) this.goOn();
    };
  }

  private stop(): void {
    if (this.left <= 0) return;
    this.since = performance.now();
    this.timer = setTimeout(() => this.goOn(), this.left);
    this.hold(true);
  }

  private goOn(): void {
    if (this.since === null) return;
    clearTimeout(this.timer);
    this.left -= performance.now() - this.since;
    this.since = null;
    this.hold(false);
  }
}
