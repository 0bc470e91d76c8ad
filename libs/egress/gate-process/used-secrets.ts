const TELL_EVERY_MS = 1_000;

/** Tells which secrets were used: the first time at once, then at most once a second. */
export class UsedSecrets {
  private readonly waiting = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly tell: (names: string[]) => void) {}

  note(name: string): void {
    this.waiting.add(name);
    if (this.timer === undefined) this.flush();
  }

  close(): void {
    clearTimeout(this.timer);
    this.tellWaiting();
  }

  private flush(): void {
    this.tellWaiting();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.waiting.size > 0) this.flush();
    }, TELL_EVERY_MS).unref();
  }

  private tellWaiting(): void {
    if (this.waiting.size > 0) this.tell([...this.waiting]);
    this.waiting.clear();
  }
}
