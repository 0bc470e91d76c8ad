/** Attempts of one process that may be under way at a time. */
export const MOST_AT_ONCE = 400;

/** Who wants to make attempts. */
export interface SlotUser {
  /** How many attempts it has under way. */
  readonly inFlight: number;
  /** A slot may be free now. */
  onSlot(): void;
}

/**
 * Shares out the attempts that may be under way at once. Half of them are only for those that have less than their share, so
 * that receivers which keep connections busy never leave none for the others; and nobody gets more than twice its share, so
 * that connections last instead of being made and dropped in turns.
 */
export class SendSlots {
  private free: number;
  private readonly users = new Set<SlotUser>();
  private readonly waiting = new Set<SlotUser>();

  constructor(private readonly total = MOST_AT_ONCE) {
    this.free = total;
  }

  join(user: SlotUser): void {
    this.users.add(user);
  }

  leave(user: SlotUser): void {
    this.users.delete(user);
    this.waiting.delete(user);
  }

  /** False: there is none for it just now; it hears by `onSlot` when to ask again. */
  take(user: SlotUser): boolean {
    const share = Math.max(1, Math.floor(this.total / 2 / Math.max(1, this.users.size)));
    const most = this.free > this.total / 2 ? 2 * share : share;
    const may = this.free > 0 && user.inFlight < most;
    if (may) this.free -= 1;
    else this.waiting.add(user);
    return may;
  }

  give(): void {
    this.free += 1;
    // Each asks again, in the order in which they began to wait; who gets none waits on at the end.
    for (const user of [...this.waiting]) {
      if (this.free === 0) return;
      this.waiting.delete(user);
      user.onSlot();
    }
  }
}
