/** Attempts of one process that may be under way at a time. */
export const MOST_AT_ONCE = 400;
/** Where only one owner has any, so many of four are for it: whoever comes next finds some. */
const QUARTERS_ALONE = 3;

/** Who wants to make attempts. */
export interface SlotUser {
  /** Whom its workspace counts for. */
  readonly owner: string;
  /** How many attempts it has under way. */
  readonly inFlight: number;
  /** A slot may be free now. */
  onSlot(): void;
}

/** All users of one owner. */
interface SlotOwner {
  users: number;
  inFlight: number;
}

/**
 * Shares out the attempts that may be under way at once: between owners, and an owner's between its users. Half of them are
 * only for those that have less than their share, so that receivers which keep connections busy never leave none for the
 * others; and nobody gets more than twice its share, so that connections last instead of being made and dropped in turns.
 */
export class SendSlots {
  private free: number;
  private readonly owners = new Map<string, SlotOwner>();
  private readonly waiting = new Set<SlotUser>();

  constructor(private readonly total = MOST_AT_ONCE) {
    this.free = total;
  }

  join({ owner }: SlotUser): void {
    const known = this.owners.get(owner);
    if (known) known.users += 1;
    else this.owners.set(owner, { users: 1, inFlight: 0 });
  }

  leave(user: SlotUser): void {
    this.waiting.delete(user);
    const owner = this.owners.get(user.owner)!;
    owner.users -= 1;
    if (owner.users === 0) this.owners.delete(user.owner);
  }

  /** How many users an owner has. */
  usersOf(owner: string): number {
    return this.owners.get(owner)?.users ?? 0;
  }

  /** False: there is none for it just now; it hears by `onSlot` when to ask again. */
  take(user: SlotUser): boolean {
    const owner = this.owners.get(user.owner)!;
    const may = this.free > 0 && this.isWithinShare(user, owner);
    if (may) {
      this.free -= 1;
      owner.inFlight += 1;
    } else {
      this.waiting.add(user);
    }
    return may;
  }

  give(user: SlotUser): void {
    this.free += 1;
    this.owners.get(user.owner)!.inFlight -= 1;
    // Each asks again, in the order in which they began to wait; who gets none waits on at the end.
    for (const next of [...this.waiting]) {
      if (this.free === 0) return;
      this.waiting.delete(next);
      next.onSlot();
    }
  }

  private isWithinShare({ inFlight }: SlotUser, owner: SlotOwner): boolean {
    const half = this.total / 2;
    const times = this.free > half ? 2 : 1;
    const ofOwner = Math.max(1, Math.floor(half / this.owners.size));
    const ofUser = Math.max(1, Math.floor(ofOwner / owner.users));
    const alone = Math.floor((this.total * QUARTERS_ALONE) / 4);
    return inFlight < times * ofUser && owner.inFlight < (this.owners.size === 1 ? alone : times * ofOwner);
  }
}
